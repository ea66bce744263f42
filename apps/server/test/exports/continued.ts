import { createHash } from 'node:crypto'
import { expect } from 'vitest'

export interface WantedFile {
  http: string
  token: string
  experimentId: string
  query: Record<string, string>
}

/** A file, or a refusal. */
export async function askForFile({ http, token, experimentId, query }: WantedFile) {
  const path = `${http}/api/experiments/${experimentId}/export?${new URLSearchParams(query)}`
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
  return {
    status: answer.status,
    id: answer.headers.get('x-export-id') ?? '',
    offset: answer.headers.get('x-export-offset'),
    content: Buffer.from(await answer.arrayBuffer()),
  }
}

/** The `resume` of somebody who has this much. */
export const resumeOf = (id: string, held: Uint8Array) =>
  `${id}-${held.length}-${createHash('sha256').update(held).digest('hex')}`

/** Downloads a file, and the rest of it from several places on: together they are the same, byte for byte. */
export async function expectToContinue(wanted: WantedFile): Promise<void> {
  const whole = await askForFile(wanted)
  expect(whole.status, whole.content.toString()).toBe(200)
  const { length } = whole.content
  const places = [0, 1, Math.floor(length / 2), length - 1, length]
  for (const bytes of new Set(places.filter((place) => place >= 0 && place <= length))) {
    const held = whole.content.subarray(0, bytes)
    const query = { ...wanted.query, resume: resumeOf(whole.id, held) }
    const rest = await askForFile({ ...wanted, query })
    expect(rest.status, rest.content.toString()).toBe(200)
    expect([rest.id, rest.offset]).toEqual([whole.id, String(bytes)])
    const joined = Buffer.concat([held, rest.content])
    expect(joined.equals(whole.content), `${JSON.stringify(wanted.query)} at ${bytes}`).toBe(true)
  }
}
