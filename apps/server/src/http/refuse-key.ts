import { type KeyRefusal, type KeyScope, keyRefusalOf, type RouteSpec } from '@atrium/contract'
import { AppError } from '../kernel/app-error.ts'

const sentences: Record<KeyRefusal, string> = {
  people_only: 'No API key can do this. Sign in and do it yourself.',
  read_only: 'This API key can only read. Use one with write access.',
  limited: 'This API key is limited to some experiments, and this does not concern them.',
}

/** R49: throws unless a key that was made for this scope may call the route. */
export function refuseKey(spec: RouteSpec, scope: KeyScope): void {
  const reason = keyRefusalOf(spec, scope)
  if (reason) throw new AppError('FORBIDDEN', { reason }, sentences[reason])
}
