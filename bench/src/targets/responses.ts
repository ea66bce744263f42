import { operationsRoutes } from '@atrium/contract'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

// Only the fields that the bench reads, because `--before` also runs servers whose responses lacked some of today's.

const Joined = Type.Object({
  data: Type.Object({
    sessionId: Type.String(),
    sessionToken: Type.String(),
    participantId: Type.String(),
  }),
})
const Measured = Type.Object({
  memory: Type.Object({ rssBytes: Type.Number(), heapUsedBytes: Type.Number() }),
})

export type Session = Static<typeof Joined>['data']
export type Memory = Static<typeof Measured>['memory']

export const sessionOf = (body: unknown): Session => Value.Parse(Joined, body).data

export async function memoryOf(address: string): Promise<Memory> {
  const response = await fetch(address + operationsRoutes.metrics.path, {
    headers: { 'user-agent': 'atrium-bench' },
  })
  return Value.Parse(Measured, await response.json()).memory
}
