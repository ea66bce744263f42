import { retryWhileUnavailable } from '../../kernel/retry-while-unavailable.ts'

/** A page whose end is known before it is read. */
interface Planned<Position> {
  /** Null on the last page. */
  next: Position | null
}

/** A client that reads slowly must not fill the memory. */
const pagesAhead = 2
/** Planned at once, and the next ones while these are read. */
export const pagesPerPlan = 4

/**
 * Reads one page after the other, and plans and reads the next ones meanwhile, so that the database works while this thread
 * encodes. Plans are there before they are needed: each takes the database several questions, and each of those would wait
 * until this thread has a moment to ask it.
 */
export function readAhead<Position, Plan extends Planned<Position>, Content>(
  plan: (after: Position | null) => Promise<readonly Plan[]>,
  read: (plan: Plan) => Promise<Content>,
): () => Promise<{ content: Content; isLast: boolean }> {
  const coming: Promise<{ content: Content; isLast: boolean }>[] = []
  /** Where the next page begins, once known; null after the last one. */
  let unread: { after: Position | null } | null = { after: null }
  const planned: Plan[] = []
  let planning: Promise<readonly Plan[]> | undefined

  async function planAfter(after: Position | null): Promise<Plan> {
    if (planned.length === 0) {
      const ask = () => plan(after)
      planned.push(...(await (planning ?? (after === null ? ask() : retryWhileUnavailable(ask)))))
      planning = undefined
    }
    const page = planned.shift()
    if (!page) throw new Error('nothing was planned')
    const { next } = planned.at(-1) ?? page
    // If the first page is refused, nobody wants a second.
    if (after !== null && next !== null && planned.length < pagesAhead) {
      planning ??= retryWhileUnavailable(() => plan(next))
      planning.catch(() => undefined)
    }
    return page
  }

  function begin(): void {
    if (!unread || coming.length >= pagesAhead) return
    const { after } = unread
    unread = null
    // The first page may be refused; from then on somebody has half a file.
    const patiently = after === null ? <Answer>(ask: () => Promise<Answer>) => ask() : retryWhileUnavailable
    const page = planAfter(after).then(async (one) => {
      if (one.next !== null) unread = { after: one.next }
      if (after !== null) begin()
      return { content: await patiently(() => read(one)), isLast: one.next === null }
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
