import { Type } from 'typebox'
import { RecordOf } from '../record-of.ts'

/** R42: what `verify` of the agent tool and the platform's *test* action find out about a model server, in this order. */
export const modelCheckNames = ['reachable', 'auth', 'tool_calling', 'concurrency'] as const
export type ModelCheckName = (typeof modelCheckNames)[number]

export const ModelCheck = Type.Object({
  name: Type.Enum(modelCheckNames),
  ok: Type.Boolean(),
  message: Type.String({ description: 'What was found, and what to do about it' }),
  warning: Type.Optional(Type.String({ description: 'The check has passed, but this may become a problem' })),
  figures: Type.Optional(
    RecordOf(Type.String(), Type.Number(), {
      description: 'What was measured; durations in milliseconds, such as `p50Ms` and `p95Ms`',
    }),
  ),
})
export type ModelCheck = Type.Static<typeof ModelCheck>

/** How long the platform waits for an answer. */
export const modelTimeoutMs = { min: 10_000, default: 60_000, max: 300_000 } as const
