/** More than a laboratory has; what is older is not listed. */
export const maxListed = 2_000

/** All pages of a list, up to a bound: the console searches in all of them. */
export async function readPages<Item>(
  readPage: (before: string | null) => Promise<{ items: Item[]; next: string | null }>,
): Promise<Item[]> {
  const read: Item[] = []
  let before: string | null = null
  do {
    const { items, next } = await readPage(before)
    read.push(...items)
    before = next
  } while (before !== null && read.length < maxListed)
  return read
}
