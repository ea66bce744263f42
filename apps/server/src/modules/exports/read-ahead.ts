import { insist } from '../../kernel/insist.ts'

/** A page whose end is known before it is read. */
interface Planned<Position> {
  /** Null on the last page. */
  next: Position | null
}

/** A client that reads slowly must not fill the memory. */
const pagesAhead = 2

/**
 * Reads one page after the other, and plans and reads the next ones meanwhile, so that the database works while this thread
 * encodes. A page is planned as soon as the one before it is planned: reading one takes the database several questions, and
 * each would wait until this thread has a moment to ask it.
 */
export function readAhead<Position, Plan extends Planned<Position>, Content>(
  plan: (after: Position | null) => Promise<Plan>,
  read: (plan: Plan) => Promise<Content>,
): () => Promise<{ content: Content; isLast: boolean }> {
  const coming: Promise<{ content: Content; isLast: boolean }>[] = []
  /** Where the next page begins, once known; null after the last one. */
  let unplanned: { after: Position | null } | null = { after: null }

  function begin(): void {
    if (!unplanned || coming.length >= pagesAhead) return
    const { after } = unplanned
    unplanned = null
    // The first page may be refused; from then on somebody has half a file.
    const patiently = after === null ? <Answer>(ask: () => Promise<Answer>) => ask() : insist
    const page = patiently(() => plan(after)).then(async (planned) => {
      if (planned.next !== null) unplanned = { after: planned.next }
      // If the first page is refused, nobody wants a second.
      if (after !== null) begin()
      return { content: await patiently(() => read(planned)), isLast: planned.next === null }
    })
    // Whoever asks for it hears of a failure; perhaps nobody does.
    page.catch(() => undefined)
    coming.push(page)
  }

  return async () => {
    begin()
    const page = await coming[0]
    if (!page) throw new Error('the last page was read')
    coming.shift()
    begin()
    return page
  }
}
