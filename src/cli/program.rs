//! Finds and runs other programs.

use std::ffi::OsString;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use gwconform_base::files::ReadError;

/// Time without output after which a program is ended.
pub const PATIENCE: Duration = Duration::from_secs(60);

const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Finds a program in PATH. Skips relative folders, because they would refer to the tree being
/// checked.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from(DEFAULT_PATH));
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut programs = folders.map(|folder| folder.join(&name));
    programs.find(|program| is_program(program))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::metadata(path);
    metadata.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Running program. It is ended if it stays silent, and when this value is dropped.
///
/// Threads read its output, because neither a read from a pipe nor the end of a pipe can be waited
/// for with a time limit. They are not joined: a program that it started may keep the pipe open.
pub struct Program {
    name: String,
    child: Child,
    pieces: Receiver<Piece>,
    unread: Cursor<Vec<u8>>,
    patience: Duration,
}

pub struct Output {
    pub stdout: Vec<u8>,
    pub status: ExitStatus,
}

#[derive(Clone, Copy, PartialEq)]
enum Stream {
    Stdout,
    Stderr,
}

type Piece = (Stream, io::Result<Vec<u8>>);

impl Program {
    /// `name` is the command line for messages. Standard error is read if `command` has a pipe for
    /// it.
    pub fn start(name: String, command: &mut Command, patience: Duration) -> io::Result<Self> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let (sender, pieces) = sync_channel(1);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let program = Self {
            name,
            child,
            pieces,
            unread: Cursor::default(),
            patience,
        };
        if let Some(stderr) = stderr {
            forward(stderr, Stream::Stderr, sender.clone())?;
        }
        if let Some(stdout) = stdout {
            forward(stdout, Stream::Stdout, sender)?;
        }
        Ok(program)
    }

    /// Reads all output. Standard output may have at most `most` bytes.
    pub fn output(mut self, most: u64, mut on_error: impl FnMut(&[u8])) -> anyhow::Result<Output> {
        let mut stdout = Vec::new();
        while let Some((stream, piece)) = self.next()? {
            if stream == Stream::Stderr {
                on_error(&piece);
            } else if (stdout.len() + piece.len()) as u64 > most {
                return Err(ReadError::TooLarge { most }.into());
            } else {
                stdout.extend(piece);
            }
        }
        let status = self.wait()?;
        Ok(Output { stdout, status })
    }

    pub fn stdin(&mut self) -> Option<std::process::ChildStdin> {
        self.child.stdin.take()
    }

    fn next(&mut self) -> io::Result<Option<(Stream, Vec<u8>)>> {
        match self.pieces.recv_timeout(self.patience) {
            Ok((stream, piece)) => Ok(Some((stream, piece?))),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(self.silence()),
        }
    }

    /// Waits for the exit of a program whose output has ended.
    fn wait(&mut self) -> io::Result<ExitStatus> {
        let end = Instant::now() + self.patience;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() >= end {
                return Err(self.silence());
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn silence(&self) -> io::Error {
        let (name, patience) = (&self.name, self.patience);
        let text = format!(
            "`{name}` printed nothing for {patience:?} and was ended; run it by hand to see why"
        );
        io::Error::new(io::ErrorKind::TimedOut, text)
    }
}

/// Reads standard output.
impl Read for Program {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.unread.position() == self.unread.get_ref().len() as u64 {
            match self.next()? {
                Some((Stream::Stdout, piece)) => self.unread = Cursor::new(piece),
                Some((Stream::Stderr, _)) => {}
                None => return Ok(0),
            }
        }
        self.unread.read(buffer)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Killing is safe, because these programs only read. Waiting leaves no zombie.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn forward(
    mut from: impl Read + Send + 'static,
    stream: Stream,
    to: SyncSender<Piece>,
) -> io::Result<()> {
    let work = move || {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let piece = match from.read(&mut buffer) {
                Ok(0) => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map(|length| buffer[..length].to_vec()),
            };
            let is_last = piece.is_err();
            if to.send((stream, piece)).is_err() || is_last {
                return;
            }
        }
    };
    thread::Builder::new().spawn(work).map(drop)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::File;

    use super::*;

    /// Programs that these tests give up print nothing for ever, so any time is long enough.
    const SHORT: Duration = Duration::from_millis(20);

    fn shell(script: &str, folder: &Path, patience: Duration) -> Program {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder);
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        Program::start(script.to_owned(), &mut command, patience).unwrap()
    }

    #[test]
    fn reads_both_streams_to_their_end() {
        let script = "yes error | head -n 200000 >&2; yes | head -n 200000; exit 7";
        let mut errors = 0;
        let program = shell(script, Path::new("/"), PATIENCE);
        let output = program
            .output(400_000, |piece| errors += piece.len())
            .unwrap();
        assert_eq!((output.stdout.len(), errors), (400_000, 1_200_000));
        assert_eq!(output.status.code(), Some(7));
    }

    #[test]
    fn ends_a_program_that_prints_too_much() {
        let error = shell("yes", Path::new("/"), PATIENCE).output(400_000, |_| {});
        let error = error.err().unwrap();
        assert!(matches!(
            error.downcast_ref(),
            Some(ReadError::TooLarge { most: 400_000 })
        ));
    }

    #[test]
    fn ends_a_silent_program_and_does_not_wait_for_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        for script in [
            "exec cat pipe",
            "cat pipe; echo",
            "cat pipe & exit",
            "echo; echo >&2; cat pipe & wait",
            "exec cat pipe >/dev/null 2>&1",
        ] {
            let program = shell(script, folder.path(), SHORT);
            let process = PathBuf::from(format!("/proc/{}", program.child.id()));
            let error = program.output(9, |_| {}).err().unwrap();
            let expected = format!(
                "`{script}` printed nothing for 20ms and was ended; run it by hand to see why"
            );
            assert_eq!(format!("{error:#}"), expected);
            assert!(!process.exists(), "{script}");
        }
        // Ends the processes that still wait for a writer of the pipe.
        let both = File::options().read(true).write(true).open(&pipe);
        drop(both.unwrap());
    }
}
