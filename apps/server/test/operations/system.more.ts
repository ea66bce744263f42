import { experimentRoutes, type SystemInstance, systemRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  describeInBothModes,
  openRoomSocket,
  patienceWithDatabase,
  startWorld,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'

const admin = { sub: 'root', roles: ['admin'] }

async function instancesAt(http: string): Promise<SystemInstance[]> {
  const api = createApi(http)
  const token = await api.token(admin.sub, admin.roles)
  return succeeded(await api.call(systemRoutes.instances, { token })).instances
}

describeInBothModes(
  'what administrators see of the system',
  (world) => {
    test('every instance tells of all instances: their load, their lease and their memory', async () => {
      const { http } = world().any()
      const api = createApi(http)
      const experimentId = await (await createResearcher(api)).openExperiment()
      const session = await (await createPerson(api)).join(experimentId)
      const socket = await openRoomSocket(http, session)
      onTestFinished(() => void socket.close())
      for (const server of world().servers)
        await waitUntil(async () => {
          const instances = await instancesAt(server.http)
          const podIds = instances.map(({ podId }) => podId)
          const isWhole =
            podIds.length === world().servers.length &&
            instances.every(({ status }) => status === 'healthy') &&
            instances.reduce((sum, { rooms }) => sum + rooms, 0) === 1 &&
            instances.reduce((sum, { participants }) => sum + participants, 0) === 1
          return isWhole || JSON.stringify(instances)
        })
      for (const instance of await instancesAt(http)) {
        expect(instance.memoryBytes).toBeGreaterThan(1_000_000)
        expect(instance.maxRooms).toBeGreaterThan(0)
        expect(instance.leaseAgeMs).toBeGreaterThanOrEqual(0)
        expect(instance.runningSince).toBeGreaterThan(0)
      }
    })

    test('every instance samples the metrics at its heartbeat, and keeps sixty samples', async () => {
      const [{ http } = world().any()] = world().servers
      const api = createApi(http)
      const experimentId = await (await createResearcher(api)).openExperiment()
      const socket = await openRoomSocket(http, await (await createPerson(api)).join(experimentId))
      await waitUntil(async () => {
        const samples = (await instancesAt(http)).flatMap((instance) => instance.samples)
        const isSeen =
          samples.some(({ connectedClients }) => (connectedClients ?? 0) > 0) &&
          samples.some(({ activeExperiments }) => (activeExperiments ?? 0) > 0) &&
          samples.some(({ httpRequests, httpRequestDuration }) => httpRequests && httpRequestDuration)
        return isSeen || JSON.stringify(samples.at(-1))
      })
      socket.close()
      await waitUntil(async () => {
        const samples = (await instancesAt(http)).flatMap((instance) => instance.samples)
        return samples.some(({ disconnects }) => (disconnects ?? 0) > 0) || JSON.stringify(samples.at(-1))
      })
      await waitUntil(async () => {
        const counts = (await instancesAt(http)).map(({ samples }) => samples.length)
        expect(Math.max(...counts)).toBeLessThanOrEqual(60)
        return counts.every((count) => count === 60) || `${counts}`
      })
      for (const { samples } of await instancesAt(http)) {
        const times = samples.map(({ at }) => at)
        expect(times).toEqual(times.toSorted((one, other) => one - other))
      }
    })

    test('people are listed with the role of their last visit and where it came from', async () => {
      const api = createApi(world().any().http)
      const researcher = await createResearcher(api, ['researcher'], 'ada')
      await researcher.openExperiment()
      const listed = await createApi(world().any().http).token('listed', [])
      succeeded(await api.call(experimentRoutes.list, { token: listed }))
      const people = async () => {
        const token = await api.token(admin.sub, admin.roles)
        const { researchers } = succeeded(await api.call(systemRoutes.researchers, { token }))
        return new Map(researchers.map((one) => [one.person.split(' ').at(-1), one]))
      }
      await waitUntil(async () => {
        const found = [...(await people()).keys()]
        return ['ada', 'listed', 'root'].every((name) => found.includes(name)) || `${found}`
      })
      const before = await people()
      expect(before.get('ada')).toMatchObject({ role: 'researcher', roleFrom: 'token', experiments: 1 })
      expect(before.get('listed')).toMatchObject({ role: 'admin', roleFrom: 'configuration', experiments: 0 })
      expect(before.get('root')).toMatchObject({ role: 'admin', roleFrom: 'token' })

      // The provider has made her an administrator: her next visit shows it.
      succeeded(await api.call(experimentRoutes.list, { token: await api.token('ada', ['admin']) }))
      await waitUntil(async () => {
        const ada = (await people()).get('ada')
        return (
          (ada?.role === 'admin' && ada.firstSeenAt === before.get('ada')?.firstSeenAt) || String(ada?.role)
        )
      })
    })
  },
  { env: { ...patienceWithDatabase, METRICS_HEARTBEAT_INTERVAL: '100', ADMIN_USERS: 'listed' } },
)

describe('a cluster that loses a pod', () => {
  test('an instance that was killed is shown as lost until its report expires', async () => {
    const world = await startWorld('cluster', { env: { METRICS_HEARTBEAT_INTERVAL: '200' } })
    onTestFinished(() => world.stop())
    const [survivor, victim] = world.servers
    if (!survivor || !victim) throw new Error('two pods are needed')
    await victim.kill()
    await waitUntil(async () => {
      const instances = await instancesAt(survivor.http)
      const [here, gone] = instances
      return (
        (here?.status === 'healthy' && gone?.status === 'lost' && gone.leaseAgeMs === null) ||
        JSON.stringify(instances.map(({ podId, status }) => [podId, status]))
      )
    })
  })
})
