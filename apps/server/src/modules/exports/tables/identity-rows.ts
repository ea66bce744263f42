import type { ExportedPerson } from '../exports.store.ts'
import { type Row, textIn } from './row.ts'

/** What the platforms that we know call the id of a person; `externalId` is what pages make of it. */
const externalNames = ['externalId', 'PROLIFIC_PID', 'workerId'] as const

export function identityRow({ metadata, ...person }: ExportedPerson): Row {
  const sent: Record<string, unknown> = JSON.parse(metadata)
  const externalId = externalNames.map((name) => textIn(sent[name])).find((id) => id !== null)
  return { ...person, metadata, externalId }
}
