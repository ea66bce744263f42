import { connectSync, createParticipant, type Sync, takePart } from '@atrium/client'
import { createApi, createPerson, createResearcher, describeInOneMode, waitUntil } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'

const screening = {
  name: 'Screening with the SDK',
  states: [
    {
      id: 'watch',
      components: [
        {
          id: 'film',
          type: 'video',
          src: '/film.mp4',
          durationMs: 3_600_000,
          controlledBy: 'guide',
          waitForAllMs: 300_000,
        },
      ],
    },
  ],
  roles: ['guide', 'viewer'],
  matching: { groupSize: 2 },
}

describeInOneMode(
  'The SDK plays in step',
  (world) => {
    const api = createApi(() => world().front().http)

    async function join(experimentId: string, role: string) {
      const { token } = await createPerson(api)
      const participant = createParticipant({ baseUrl: world().front().http, getIdToken: () => token })
      onTestFinished(() => participant.close())
      await participant.join(experimentId, { role })
      return participant
    }

    const untilStatus = (sync: Sync, status: string) =>
      waitUntil(() => sync.playback('film')?.status === status || JSON.stringify(sync.playback('film')))

    it('[R27,R30] the same clock and timeline for everyone, before and after a kill -9', async () => {
      const researcher = await createResearcher(api)
      const experimentId = await researcher.openExperiment(screening as never)
      const people = await Promise.all(['guide', 'viewer'].map((role) => join(experimentId, role)))
      const watching = await Promise.all(
        people.map(async (participant) => {
          const room = await takePart(participant)
          const sync = connectSync(participant)
          onTestFinished(() => {
            sync.close()
            room.close()
          })
          return { room, sync }
        }),
      )
      const [guide, viewer] = watching.map(({ sync }) => sync)
      if (!guide || !viewer) throw new Error('expected two people')
      await Promise.all([untilStatus(guide, 'preparing'), untilStatus(viewer, 'preparing')])
      await Promise.all([guide.buffer('film', 'ready'), viewer.buffer('film', 'ready')])
      await untilStatus(viewer, 'playing')
      await guide.command('film', { command: 'seek', positionMs: 60_000 })
      await waitUntil(() => (viewer.playback('film')?.positionMs ?? 0) >= 60_000 || 'not moved')
      await waitUntil(
        () => guide.playback('film')?.positionMs === viewer.playback('film')?.positionMs || 'apart',
      )
      expect(guide.playback('film')).toEqual(viewer.playback('film'))
      await expect(viewer.command('film', { command: 'pause' })).rejects.toMatchObject({
        name: 'RoomRefused',
      })
      await guide.report('film', { driftMs: -3.5, rttMs: 4 })

      // Both measured the same clock, each as well as it could.
      const [one, other] = [guide.clock.estimate, viewer.clock.estimate]
      if (!one || !other) throw new Error('the clock is not known')
      expect(Math.abs(one.offsetMs - other.offsetMs)).toBeLessThanOrEqual(
        one.uncertaintyMs + other.uncertaintyMs,
      )

      const before = viewer.playback('film')
      const server = world().servers.find(Boolean)
      if (!server) throw new Error('this world has no server')
      await server.kill()
      await server.restart()
      await waitUntil(() => viewer.status.kind === 'connected' || viewer.status.kind)
      await guide.command('film', { command: 'pause' })
      await untilStatus(viewer, 'paused')
      expect(viewer.playback('film')?.positionMs).toBeGreaterThan(before?.positionMs ?? Number.NaN)
      const lines = await researcher.exported(experimentId)
      expect(lines.filter(({ type }) => type === 'sync_report')).toHaveLength(1)
    })
  },
  { router: true },
)
