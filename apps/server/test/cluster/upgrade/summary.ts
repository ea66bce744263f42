import type { Played } from './load.ts'
import type { Owners } from './owners.ts'
import type { RollingCluster } from './rolling-cluster.ts'

/** Figures for whoever runs the test. */
export function summaryOf(cluster: RollingCluster, studies: readonly Played[], owners: Owners): string {
  const logs = studies.flatMap((study) => study.logs)
  const count = (kind: string): number =>
    logs.reduce((sum, { events }) => sum + events.filter((event) => event.kind === kind).length, 0)
  const ways = Map.groupBy(owners.values(), (versions) => versions.join(' → '))
  return [
    `${logs.length} participants in ${owners.size} rooms, ${cluster.replacements()} programs replaced`,
    `${count('completed')} completed, ${count('failed')} failed`,
    `${count('acknowledged')} actions acknowledged, ${count('refused')} refused, ${count('unanswered')} unanswered`,
    ...logs.flatMap(({ subject, events }) =>
      events.flatMap((event, index) =>
        event.kind === 'failed'
          ? [`${subject} failed after ${events[index - 1]?.kind}: ${event.message}`]
          : [],
      ),
    ),
    ...[...ways].map(([way, rooms]) => `${rooms.length} rooms on ${way}`),
  ].join('\n')
}
