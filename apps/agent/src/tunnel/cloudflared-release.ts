/** One file of a release. The binary inside an archive has a checksum of its own. */
export interface ReleaseFile {
  name: string
  sha256: string
  binarySha256: string
}

const plain = (name: string, sha256: string): ReleaseFile => ({ name, sha256, binarySha256: sha256 })

/**
 * Pinned, so that what runs is what was looked at. The checksums are those of the release page and of the assets
 * (for the archives of macOS the page lists the binary inside). To update, change the version and all of them together.
 */
export const cloudflaredRelease = {
  version: '2026.9.1',
  folder: 'https://github.com/cloudflare/cloudflared/releases/download/2026.9.1',
  files: {
    'linux-x64': plain(
      'cloudflared-linux-amd64',
      '03f1f25d1cc93b9ad6c60569d44060bc4f17ed97075760ed8cfca4b12dcd68cc',
    ),
    'linux-arm64': plain(
      'cloudflared-linux-arm64',
      '3d97437c71848bd8df68041e12436b484a661d95073ea1937f01a845ce88faa3',
    ),
    'win32-x64': plain(
      'cloudflared-windows-amd64.exe',
      '2837888cc0f5d58f15b6dc478376de90b4d3ba5241c7947455d1e0a0df429712',
    ),
    'darwin-x64': {
      name: 'cloudflared-darwin-amd64.tgz',
      sha256: 'ff0d3b51d5ff70eceef89d6b32145fee985018a2174596a5dbe405e2766e2ac4',
      binarySha256: '1ea07ae775b03236bd6be18ca1848d6bdc4af2f4f3bce398823b5a36e5761b75',
    },
    'darwin-arm64': {
      name: 'cloudflared-darwin-arm64.tgz',
      sha256: 'c27ab8fd0aa489449e3d201eb02f957ef460a13b613662928b1b23394bf1bcfe',
      binarySha256: '9a0b19f67dc7a3011bc6b972c7ce06a5fcea8784ac6bd599ffa382ea4aeb5a6e',
    },
  } as Record<string, ReleaseFile>,
}

export type CloudflaredRelease = typeof cloudflaredRelease
