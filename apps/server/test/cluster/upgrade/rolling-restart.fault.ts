import { expect, onTestFinished, test } from 'vitest'
import { expectInvariants } from './check-load.ts'
import { startLoad } from './load.ts'
import { movesBetween, watchOwners } from './owners.ts'
import { startRollingCluster } from './rolling-cluster.ts'
import { summaryOf } from './summary.ts'

const present = { version: 'this' }

test('[I1,I2,I3,I4,I5] every pod and router in turn is stopped and started under load: nobody fails', async () => {
  const cluster = await startRollingCluster({ pods: 3, routers: 2 }, present)
  onTestFinished(() => cluster.stop())
  const owners = watchOwners(cluster)
  const load = await startLoad(cluster.http)
  for (let round = 0; round < 2; round++) {
    // The highest number first, as a StatefulSet does it.
    for (let pod = cluster.pods - 1; pod >= 0; pod--) await cluster.replacePod(pod, present)
    for (let router = 0; router < cluster.routers; router++) await cluster.replaceRouter(router, present)
  }
  const studies = await load.finish(cluster.startReader)
  const seen = await owners.stop()
  console.log(summaryOf(cluster, studies, seen))
  await expectInvariants(cluster.databaseUrl, studies)
  expect(movesBetween(seen, 'this', 'this')).toBeGreaterThan(0)
})
