# The formula for Homebrew, which accepts formulas only from a tap: a repository with the folder Formula.
class Gwconform < Formula
  desc "Checks, certifies and shows Kubernetes Gateway API conformance reports"
  homepage "https://github.com/OWNER/gwconform"
  version "RELEASE_VERSION"
  license "Apache-2.0"

  release = "https://github.com/OWNER/gwconform/releases/download/v#{version}/gwconform-#{version}"
  on_macos do
    on_arm do
      url "#{release}-aarch64-apple-darwin.tar.gz"
      sha256 "SHA256_AARCH64_DARWIN"
    end
    on_intel do
      url "#{release}-x86_64-apple-darwin.tar.gz"
      sha256 "SHA256_X86_64_DARWIN"
    end
  end
  on_linux do
    on_arm do
      url "#{release}-aarch64-unknown-linux-musl.tar.gz"
      sha256 "SHA256_AARCH64_LINUX"
    end
    on_intel do
      url "#{release}-x86_64-unknown-linux-musl.tar.gz"
      sha256 "SHA256_X86_64_LINUX"
    end
  end

  def install
    bin.install "gwconform"
    bash_completion.install "completions/gwconform.bash" => "gwconform"
    fish_completion.install "completions/gwconform.fish"
    zsh_completion.install "completions/_gwconform"
    man1.install Dir["man/man1/*.1"]
    doc.install "THIRD-PARTY-NOTICES.txt", "sbom.cdx.json"
  end

  test do
    assert_match "gwconform #{version}\n", shell_output("#{bin}/gwconform --version")
  end
end
