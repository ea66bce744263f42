import { insist } from '../../kernel/insist.ts'

/**
 * Reads one page after the other. The next one is begun as soon as the last one is there, so that the database works on it
 * while this thread encodes. One page ahead is all: a client that reads slowly must not fill the memory.
 */
export function readAhead<Position, Page extends { next: Position | null }>(
  readPage: (after: Position | null) => Promise<Page>,
): () => Promise<Page> {
  let coming: Promise<Page> | undefined
  return async () => {
    const page = await (coming ?? readPage(null))
    if (page.next !== null) {
      // The first page may be refused; from then on somebody has half a file.
      const { next } = page
      coming = insist(() => readPage(next))
      // Whoever asks for it hears of a failure; perhaps nobody does.
      coming.catch(() => undefined)
    }
    return page
  }
}
