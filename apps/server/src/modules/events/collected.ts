import {
  answerParadata,
  collectedOf,
  deviceParadata,
  type ParadataKind,
  type ParticipantEvent,
} from '@atrium/contract'

/** R93: what of an answer's paradata the study collects; undefined if that is nothing. */
export function collectedParadata<Sent extends object>(
  sent: Sent,
  kinds: readonly ParadataKind[],
): Sent | undefined {
  const kept = collectedOf(sent, answerParadata, kinds)
  return Object.keys(kept).length > 0 ? kept : undefined
}

/** E42: the data of an event as it is stored. */
export function collectedData(
  { type, data = {} }: Pick<ParticipantEvent, 'type' | 'data'>,
  kinds: readonly ParadataKind[],
): Record<string, unknown> {
  if (type === 'device_report') return collectedOf(data, deviceParadata, kinds)
  const { paradata, ...answer } = data
  if (type !== 'component_response' || !isObject(paradata)) return data
  const kept = collectedParadata(paradata, kinds)
  return kept ? { ...answer, paradata: kept } : answer
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
