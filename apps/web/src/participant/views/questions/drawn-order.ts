/** The seed of a participant’s order, which a reload does not change. */
export const orderSeed = (
  { participantId, stateId, visit }: { participantId: string; stateId: string; visit: number },
  componentId: string,
): string => JSON.stringify([participantId, stateId, visit, componentId])

/** A shuffle that can be reproduced from the seed. */
export function drawnOrder<Item>(items: readonly Item[], seed: string): Item[] {
  const random = randomFrom(hashOf(seed))
  const left = [...items]
  const drawn: Item[] = []
  while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1))
  return drawn
}

/** FNV-1a: seeds that differ in one letter begin far apart after the mixing of the generator. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** mulberry32: small, and even enough for lists of up to 200. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
