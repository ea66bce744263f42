import type { Metrics } from '../http/metrics.ts'
import { sealingKeysFrom } from '../kernel/sealed.ts'
import { createEventExports, createEvents, groupLimits } from '../modules/events/index.ts'
import type { Experiments } from '../modules/experiments/index.ts'
import type { Ports } from './ports.ts'

interface EventPeers {
  experiments: Experiments
  metrics: Metrics
}

/** What participants send, and the streams in which researchers receive it. */
export function openEvents(ports: Ports, { experiments, metrics }: EventPeers) {
  const { config, database, secrets, quota, space, clock, onBackgroundError } = ports
  const events = createEvents({
    store: database.events,
    groups: config.databaseUrl ? groupLimits.shared : groupLimits.embedded,
    sealing: sealingKeysFrom(secrets),
    experiments,
    clock,
    quota,
    space,
  })
  const eventExports = createEventExports({
    audit: database.operations.audit,
    onEnded: metrics.exported,
    clock,
    onBackgroundError,
  })
  return { events, eventExports, stopExports: eventExports.stop, stop: events.drain }
}
