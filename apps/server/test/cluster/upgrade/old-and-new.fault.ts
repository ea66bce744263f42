import {
  createApi,
  createPerson,
  createResearcher,
  createTemporaryFolder,
  startServer,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectInvariants } from './check-load.ts'
import { startLoad } from './load.ts'
import { movesBetween, watchOwners } from './owners.ts'
import { type PreviousRelease, unpackPreviousRelease } from './previous-release.ts'
import { type Release, type RollingCluster, startRollingCluster } from './rolling-cluster.ts'
import { summaryOf } from './summary.ts'

const present: Release = { version: 'new' }

describe('Two releases on one database, under load', () => {
  let unpacked: PreviousRelease
  let former: Release
  beforeAll(() => {
    unpacked = unpackPreviousRelease()
    former = { version: 'old', server: unpacked.server, router: unpacked.router }
  })
  afterAll(() => unpacked?.remove())

  async function underLoad(first: Release, update: (cluster: RollingCluster) => Promise<void>) {
    const cluster = await startRollingCluster({ pods: 3, routers: 2 }, first)
    onTestFinished(() => cluster.stop())
    const owners = watchOwners(cluster)
    const load = await startLoad(cluster.http)
    await update(cluster)
    const studies = await load.finish(cluster.startReader)
    const seen = await owners.stop()
    console.log(summaryOf(cluster, studies, seen))
    await expectInvariants(cluster.databaseUrl, studies)
    return seen
  }

  test('[I1,I2,I3,I4,I5] an update replaces pods and routers of the previous release one by one: nobody fails', async () => {
    const seen = await underLoad(former, async ({ replacePod, replaceRouter }) => {
      await replacePod(2, present) // It migrates the database, on which the others go on.
      await replacePod(2, present) // Its rooms go to instances of the previous release.
      await replacePod(0, former) // An instance may restart before its turn comes.
      await replacePod(1, present)
      await replacePod(1, present)
      await replacePod(0, present)
      await replaceRouter(0, present)
      await replaceRouter(1, present)
    })
    expect(movesBetween(seen, 'old', 'new')).toBeGreaterThan(0)
    expect(movesBetween(seen, 'new', 'old')).toBeGreaterThan(0)
  })

  test('[I1,I2,I3,I4,I5] going back to the previous release on the migrated database: nobody fails', async () => {
    const seen = await underLoad(former, async ({ replacePod, replaceRouter }) => {
      for (const pod of [2, 1, 0]) await replacePod(pod, present)
      for (const router of [0, 1]) await replaceRouter(router, present)
      for (const router of [0, 1]) await replaceRouter(router, former)
      for (const pod of [2, 1, 0]) await replacePod(pod, former)
    })
    expect(movesBetween(seen, 'new', 'old')).toBeGreaterThan(0)
  })

  test('a single machine is updated and goes back: its studies are still there', async () => {
    const folder = createTemporaryFolder('single-machine')
    onTestFinished(() => folder.remove())
    const experiments: string[] = []
    for (const entry of [unpacked.server, undefined, unpacked.server]) {
      const server = await startServer({ dataDir: folder.path, ...(entry && { entry }) })
      const researcher = await createResearcher(createApi(server.http), ['researcher'], 'researcher')
      experiments.push(await researcher.openExperiment())
      const person = await createPerson(createApi(server.http))
      for (const experimentId of experiments)
        expect((await person.join(experimentId)).experimentConfig.name).toBe('A small study')
      expect(await server.stop()).toBe(0)
    }
  })
})
