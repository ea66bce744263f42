const credential = /\/media\/[^/]+\//

/**
 * R32: the credential is part of the path. The address of a segment with the credential of `playbackUrl`, so that a
 * stream goes on when its addresses have been renewed.
 */
export function withCredentialOf(playbackUrl: string, address: string): string {
  const current = credential.exec(playbackUrl)?.[0]
  return current === undefined ? address : address.replace(credential, () => current)
}

/** The index of the smallest level that fills the screen; -1 if none does. More would be loaded but not seen. */
export function levelForScreen(levels: readonly { width: number }[], screenPixels: number): number {
  const sufficient = levels
    .map(({ width }, index) => ({ width, index }))
    .filter(({ width }) => width >= screenPixels)
    .toSorted((one, other) => one.width - other.width)
  return sufficient[0]?.index ?? -1
}
