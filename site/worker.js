// Runs the WebAssembly module in a worker, so that the page stays responsive. The interface is described in
// wasm/src/lib.rs. After a panic, the error is reported and the next call uses a new instance.

let compiled = null;
let instance = null;
let panic = "";

const text = (address, length) =>
  new TextDecoder().decode(new Uint8Array(instance.exports.memory.buffer, address, length));

async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  // Streaming compilation requires the MIME type application/wasm, which many servers do not send.
  return WebAssembly.compile(await answer.arrayBuffer());
}

async function ready(address) {
  compiled ??= load(address);
  try {
    const module = await compiled;
    const panicked = (at, length) => {
      panic = text(at, length);
    };
    instance ??= await WebAssembly.instantiate(module, { gwconform: { panicked } });
  } catch (error) {
    compiled = null;
    throw error;
  }
}

function request(call, files, options) {
  const head = new TextEncoder().encode(
    JSON.stringify({ call, options, files: files.map(({ path, bytes }) => ({ path, size: bytes.length })) }),
  );
  const bytes = new Uint8Array(files.reduce((sum, file) => sum + file.bytes.length, 4 + head.length));
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  let at = 4 + head.length;
  for (const file of files) {
    bytes.set(file.bytes, at);
    at += file.bytes.length;
  }
  return bytes;
}

function run(bytes) {
  const { allocate, call, release, memory } = instance.exports;
  panic = "";
  const address = allocate(bytes.length) >>> 0;
  new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  const answer = call(address, bytes.length);
  const [at, length] = [Number((answer >> 32n) & 0xffffffffn), Number(answer & 0xffffffffn)];
  const said = text(at, length);
  release(at, length);
  return JSON.parse(said);
}

self.addEventListener("message", async ({ data: { id, module, call, files, options } }) => {
  try {
    await ready(module);
  } catch (error) {
    self.postMessage({ id, error: error.message, isLoaded: false });
    return;
  }
  if (!call) {
    self.postMessage({ id, answer: null });
    return;
  }
  try {
    self.postMessage({ id, ...run(request(call, files, options)) });
  } catch (error) {
    instance = null;
    self.postMessage({ id, error: `it stopped: ${panic || error.message}`, isBroken: true });
  }
});
