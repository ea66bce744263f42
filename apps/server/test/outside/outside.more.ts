import { createTemporaryFolder, describeInBothModes, startStubModelServer, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Archive, openArchive } from './archive-files.ts'
import { modelReply } from './outside-model.ts'
import { arrive, ask, bodyOf, type OutsidePerson, tokenOf } from './outside-person.ts'
import { outsideStudy } from './outside-study.ts'
import {
  expectAnswersFromEvents,
  expectParadataFromEvents,
  expectPaymentsFromEvents,
  expectPayoffsFromAnswers,
  expectPlannedOrders,
  expectStatesFromEvents,
  renamed,
} from './rebuilt-tables.ts'

/** A day and an hour: the clocks of people are their own. */
const clocksAheadMs = [0, 3_600_000, -90_000_000, 250]

/** Of which the last one says little. */
const devices: Record<string, string | number>[] = [
  {
    ...{ deviceClass: 'phone', browser: 'safari', system: 'ios', inputKind: 'touch', pixelRatio: 3 },
    ...{ viewportWidth: 390, viewportHeight: 844, deviceLanguage: 'en-GB', timeZone: 'Europe/London' },
    networkDelayMs: 31.25,
  },
  { deviceClass: 'computer', browser: 'firefox', system: 'linux', inputKind: 'pointer', pixelRatio: 1.25 },
  { deviceClass: 'tablet', browser: 'samsung', system: 'android', timeZone: 'Asia/Seoul' },
  { networkDelayMs: 8 },
]

describeInBothModes(
  'a study played and read by somebody who knows only the contract',
  (world) => {
    const folder = createTemporaryFolder('outside')
    const people: OutsidePerson[] = []
    let archive: Archive
    let model: Awaited<ReturnType<typeof startStubModelServer>>
    let decliner: OutsidePerson
    let researcher = ''
    let flow: { total: Record<string, unknown> }

    afterAll(async () => {
      await model?.stop()
      folder.remove()
    })

    beforeAll(async () => {
      // In a cluster, the router leads everybody to the instance that has the room.
      const http = world().front().http
      researcher = await tokenOf(http, 'reviewer', ['researcher'])
      const asResearcher = (body?: unknown): RequestInit => ({
        method: 'POST',
        headers: { authorization: `Bearer ${researcher}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      model = await startStubModelServer({ onCompletion: modelReply })
      const { credentialId } = await json(
        http,
        '/api/agents/credentials',
        asResearcher({
          name: 'stub',
          provider: 'Custom',
          baseUrl: model.baseUrl,
          apiKey: model.apiKey,
          model: 'stub-model',
        }),
      )
      const { experimentId } = await json(http, '/api/experiments', asResearcher(outsideStudy(credentialId)))
      await ask(http, `/api/experiments/${experimentId}/status`, asResearcher({ status: 'recruiting' }))

      decliner = await arrive(http, experimentId, 'decliner', 0)
      await decliner.decline()
      for (const [index, ahead] of clocksAheadMs.entries()) {
        const person = await arrive(http, experimentId, `person-${index}`, ahead)
        await person.consent()
        await person.report(devices[index] ?? {})
        people.push(person)
      }
      await Promise.all(people.map((person) => person.waitForRoom()))
      await Promise.all(people.map((person) => person.enter()))
      const roomId = people[0]?.own.roomId ?? ''
      const steer = (what: string, body?: unknown) =>
        ask(http, `/api/room/${roomId}/${what}`, asResearcher(body ?? {}))

      const first = await opinions(people)
      await waitUntil(() => people[0]?.state()?.id !== first || 'the agent has not answered')
      await opinions(people)
      await Promise.all(people.map((person) => person.inState('talk')))
      await steer('pause', { reason: 'fire alarm' })
      await steer('resume')
      await people[0]?.say('I share half.')
      // The last one vanishes before they have said or decided anything.
      const [lost, rest] = [people.at(-1), people.slice(0, -1)]
      lost?.vanish()
      for (const person of rest) await person.ready()
      await Promise.all(rest.map((person) => person.inState('share')))
      for (const [index, person] of rest.entries()) {
        if (index === 0) await person.answer('why', 'Because = I can.')
        await person.answer('contribution', 5 + index)
      }
      await Promise.all(rest.map((person) => person.inState('thanks')))
      for (const person of rest) await person.ready()
      await Promise.all(rest.map((person) => person.finished()))
      for (const person of rest) expect((await person.complete()).completionCode).toBe('C-DONE')

      const asked = { headers: { authorization: `Bearer ${researcher}` } }
      flow = await bodyOf(await ask(http, `/api/experiments/${experimentId}/flow`, asked))
      const path = `/api/experiments/${experimentId}/export?format=psych-ds&answerKeys=true`
      const answer = await ask(http, path, asked)
      archive = openArchive(folder.path, Buffer.from(await answer.arrayBuffer()))
    })

    test('[I7,R88] whatever a person was told is stored is in the answers, with the time by their own clock', () => {
      const responses = archive.table('responses')
      for (const { own } of people)
        for (const { stateId, componentId, visit, value, sentAt } of own.answers)
          expect(responses).toContainEqual(
            expect.objectContaining({
              participant_id: own.participantId,
              state_id: stateId,
              component_id: componentId,
              visit,
              value,
              client_time: sentAt,
              missing: null,
              answer_source: 'person',
            }),
          )
      const messages = archive.table('messages').map(({ participant_id, text }) => [participant_id, text])
      for (const { own } of people)
        for (const text of own.messages) expect(messages).toContainEqual([own.participantId, text])
    })

    test('[R23a,R47] answers, messages and visits follow from the events', () => {
      expectAnswersFromEvents(archive)
      expectStatesFromEvents(archive)
    })

    test('[R93] what was measured is in the data as it was sent, and follows from the events', () => {
      const columns = archive.columnsOf('responses')
      const responses = archive.table('responses')
      for (const { own } of people) {
        for (const { componentId, visit, paradata } of own.answers)
          expect(responses).toContainEqual(
            expect.objectContaining({
              ...{ participant_id: own.participantId, component_id: componentId, visit },
              ...renamed(paradata, columns),
            }),
          )
        const reported = archive.table('devices').filter((row) => row.participant_id === own.participantId)
        expect(reported).toMatchObject(own.devices.map((data) => renamed(data, archive.columnsOf('devices'))))
      }
      expectParadataFromEvents(archive)
    })

    test('[R64,R95] the archive has the study, from which and the events follow all amounts', () => {
      const definition = archive.jsonOf('materials/revision-1.json')
      const played = definition.definition ?? definition
      expect(played.states).toHaveLength(5)
      expectPaymentsFromEvents(archive, played)
      expectPayoffsFromAnswers(archive)
      const described = archive.jsonOf('dataset_description.json')
      expect(JSON.stringify(described)).toContain('0000-0002-1825-0097')
    })

    test('[R90,D21] the planned order of everybody is the one that they met', () => {
      const definition = archive.jsonOf('materials/revision-1.json')
      expectPlannedOrders(archive, definition.definition ?? definition)
      const assigned = archive.table('assignments').map(({ participant_id }) => participant_id)
      for (const { own } of people) expect(assigned).toContain(own.participantId)
    })

    test('[R91] what the researcher did is in the record of everyone, under a pseudonym', () => {
      const events = archive.table('events')
      for (const { own } of people)
        for (const type of ['room_paused', 'room_resumed'])
          expect(events).toContainEqual(
            expect.objectContaining({ type, participant_id: own.participantId, data: expect.anything() }),
          )
      expect(JSON.stringify(events)).not.toContain('reviewer')
    })

    test('[R92] whoever vanished is nowhere afterwards, and their file says when, where and why', () => {
      const lost = people.at(-1)?.own.participantId
      const row = archive.table('participants').find(({ participant_id }) => participant_id === lost)
      expect(row).toMatchObject({ dropped_state: 'talk', completed_at: null })
      expect(row?.dropped_at).not.toBeNull()
      expect(row?.drop_reason).not.toBeNull()
      const present = archive
        .table('states')
        .filter(({ participant_id, was_present }) => participant_id === lost && was_present === true)
      expect(present.map(({ state_id }) => state_id)).not.toContain('share')
    })

    test('[R92] the flow of people counts everybody who came, also whoever declined', () => {
      expect(flow.total).toMatchObject({ arrived: 5, consented: 4, declined: 1, assigned: 4, completed: 3 })
      expect(flow.total.dropped).toMatchObject({ disconnected: 1 })
    })

    test('[R94] whoever declined has left a count and no identity', async () => {
      const all = archive.files.map((file) => archive.textOf(file)).join('\n')
      for (const secret of ['pid-decliner', 'pid-person-0', 'person-0']) expect(all).not.toContain(secret)
    })

    test('[R43,R53] nobody was told which condition it was, or who was not a person', () => {
      for (const { own } of people) {
        const seen = own.snapshots.join('\n')
        for (const hidden of ['lowreturn', 'highreturn', 'robin', '"agent"', 'sam'])
          expect(seen).not.toContain(hidden)
      }
    })

    test('[R88,D36] answers of agents say how they came about', () => {
      const agents = archive.table('responses').filter(({ agent }) => agent === 'robin')
      const sources = agents
        .filter(({ missing }) => missing === null)
        .map(({ answer_source }) => answer_source)
      expect(sources).toContain('retry')
      expect(sources).toContain('model')
      const turns = archive.table('agent_turns')
      expect(turns.length).toBeGreaterThan(0)
      for (const turn of turns) expect(['lowreturn', 'highreturn']).toContain(turn.condition)
    })
  },
  { router: true },
)

/** Everybody answers the question that they are shown, which is the same one for all of them. */
async function opinions(people: readonly OutsidePerson[]): Promise<string> {
  const [first] = people
  const state = first?.state()
  const [question] = state?.components ?? []
  if (!state || !question) throw new Error('there is no question')
  await Promise.all(people.map((person) => person.inState(state.id)))
  for (const [index, person] of people.entries()) await person.answer(question.id, 10 * index)
  return state.id
}

const json = async (http: string, path: string, init: RequestInit) =>
  await bodyOf<{ credentialId: string; experimentId: string }>(await ask(http, path, init))
