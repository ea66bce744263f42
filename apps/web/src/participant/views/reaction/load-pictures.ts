/**
 * Loads and decodes pictures before a block, so that none appears later than its frame. The caller keeps what is
 * returned: a browser may otherwise forget a picture that is nowhere on the page.
 */
export async function loadPictures(addresses: readonly string[]): Promise<HTMLImageElement[]> {
  return await Promise.all(
    [...new Set(addresses)].map(async (address) => {
      const picture = new Image()
      picture.src = address
      await picture.decode()
      return picture
    }),
  )
}
