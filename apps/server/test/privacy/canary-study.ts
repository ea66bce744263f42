import { type ExperimentDefinition, participantRoutes } from '@atrium/contract'
import { createApi, openRoomSocket, openSyncSocket, succeeded, type World } from '@atrium/testkit'
import { acknowledged, tableIn } from '../rooms/table.ts'

/** What only the identity file may say of somebody. Several kinds, because each takes another way through the platform. */
const canariesOf = (person: string) => ({
  subject: `canary-subject-${person}`,
  email: `canary.${person}@example.org`,
  externalId: `canary+${person}@recruits.example`,
  prolificId: `canarypid${person}`,
  studyId: `canarystudy${person}`,
  unknown: `canary parameter ${person}`,
  address: person === 'ann' ? '203.0.113.77' : '2001:db8::77:1',
  browser: `CanaryBrowser/7.0 (${person})`,
})

const video = { id: 'film', type: 'video', src: '/film.mp4', durationMs: 3_600_000, waitForAllMs: 100 }

const study: ExperimentDefinition = {
  name: 'Two people and an agent',
  roles: [
    { id: 'person', min: 2, max: 2 },
    { id: 'helper', min: 1, max: 1 },
  ],
  states: [
    {
      id: 'watch',
      components: [{ ...video, roles: ['person'] }],
      end: { on: 'button' },
    },
    {
      id: 'say',
      components: [{ id: 'words', type: 'text_input', saveTo: 'said' }],
      end: { on: 'all_responded' },
    },
  ],
  tables: { topics: { rows: [{ topic: 'weather' }] } },
  blocks: [{ id: 'saying', states: ['say'], trials: { table: 'topics' } }],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  variables: { said: { scope: 'participant' }, points: { scope: 'participant', initial: 3 } },
  matching: { groupSize: 2 },
  network: { kind: 'complete' },
  paradata: ['device'],
  agents: [
    {
      id: 'robin',
      name: 'Robin',
      role: 'helper',
      provider: 'Scripted',
      seats: 1,
      instructions: 'Be brief.',
      pacing: { thinkMs: 0, thinkSpreadMs: 0, charactersPerSecond: 10_000, lullMs: 1_000 },
      script: [{ say: ['Hello'], answers: { words: 'nothing' } }],
    },
  ],
  completion: {
    codes: { SUCCESS: 'DONE' },
    redirectUrl: 'https://example.org/?id={{metadata.externalId}}&pid={{metadata.PROLIFIC_PID}}',
    payment: { currency: 'EUR', base: 1, bonus: 'points' },
  },
}

/** Two people with canaries take part in everything that leaves rows: a video in step, a question in a trial, a chat, an agent, pay. */
export async function playCanaryStudy(world: () => World) {
  const table = tableIn(world)
  const { http } = table.server()
  const experimentId = await table.open(study)
  const people = []
  for (const name of ['ann', 'bob']) {
    const canaries = canariesOf(name)
    const { subject, email, externalId, prolificId: PROLIFIC_PID, studyId: STUDY_ID, unknown } = canaries
    const api = createApi(http, canaries.browser)
    const headers = { 'x-forwarded-for': canaries.address }
    const token = await api.token(subject, undefined, email)
    const body = {
      experimentId,
      role: 'person',
      metadata: { externalId, PROLIFIC_PID, STUDY_ID, utm: unknown, age: '30' },
    }
    const session = succeeded(await api.call(participantRoutes.joinV4, { token, body, headers })).data
    const report = { type: 'device_report', timestamp: Date.now(), data: { browser: 'firefox' } }
    succeeded(await api.call(participantRoutes.eventsV4, { session, headers, body: { events: [report] } }))
    people.push({ name, canaries, api, headers, token, body, session })
  }
  const roomId = await table.seatByHand(
    experimentId,
    people.map(({ session }) => session.participantId),
  )
  const pages = await Promise.all(
    people.map(async ({ session, canaries: { browser } }) => ({
      room: await openRoomSocket(http, { ...session, roomId }, browser),
      sync: await openSyncSocket(http, { ...session, roomId }, browser),
    })),
  )
  for (const { sync } of pages)
    await acknowledged(sync.act('playback_buffer', { componentId: 'film', status: 'ready' }))
  for (const { sync } of pages) {
    await sync.state(({ status }) => status === 'playing')
    await acknowledged(sync.act('sync_report', { componentId: 'film', driftMs: 5, rttMs: 12.5 }))
  }
  for (const { room } of pages)
    await acknowledged(room.act('send_message', { componentId: 'chat', text: 'hello' }))
  for (const { room } of pages) await acknowledged(room.act('ready'))
  for (const { room } of pages) {
    await room.event('state_entered', ({ state }) => state.id === 'say')
    await acknowledged(room.act('submit_response', { componentId: 'words', value: 'some words' }))
  }
  for (const { room } of pages) await room.event('finished')
  for (const { api, session, headers } of people) {
    const body = { completionCode: 'SUCCESS' }
    const { redirectUrl } = succeeded(
      await api.call(participantRoutes.completeV4, { session, headers, body }),
    ).data
    if (!redirectUrl?.includes('canary')) throw new Error('the recruiting site gets no id')
  }
  for (const { room, sync } of pages) {
    room.close()
    sync.close()
  }
  return { experimentId, roomId, people, table }
}
