import { type SocketEventName, type SocketNamespace, socketEvents, socketNamespaces } from '@atrium/contract'
import { Compile } from 'typebox/compile'

const checks = new Map(Object.entries(socketEvents).map(([name, schema]) => [name, Compile(schema)]))

/** What is not as the reference of the sockets says, for each message that a namespace sends; none if it is. */
export function undocumentedEvent(path: SocketNamespace['path'], name: string, payload: unknown): string[] {
  const namespace = socketNamespaces.find((one) => one.path === path)
  if (!namespace?.events[name as SocketEventName]) return [`${path} does not document ${name}`]
  const check = checks.get(name)
  if (check?.Check(payload)) return []
  return [`${name}: ${JSON.stringify(check?.Errors(payload)[0])} in ${JSON.stringify(payload).slice(0, 300)}`]
}
