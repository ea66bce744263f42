import { expect, test } from 'vitest'
import { eventsOf } from '../bot-log.ts'
import { completedWith, quickExamples, testCrowd, testExamples, useInstance } from './test/play-examples.ts'

const play = useInstance()

testExamples(play, quickExamples)
testCrowd(play, 40)

test('[R27] a video in a group plays for bots as it does for people, and stops where they rate it', async () => {
  const video = { id: 'film', type: 'video', src: '/film.mp4', durationMs: 900, waitForAllMs: 60_000 }
  const guided = { ...video, id: 'guided', controlledBy: 'guide', autoplay: false }
  const liking = { id: 'liking', type: 'sparse_rating', mediaId: 'film', atMs: [300] }
  const end = (componentId: string) => ({ end: { on: 'media_ended' as const, componentId } })
  const states = [
    { id: 'watch', components: [video, liking], ...end('film') },
    { id: 'follow', components: [guided], ...end('guided') },
  ]
  const roles = [{ id: 'guide', min: 1, max: 1 }, 'viewer']
  const more = { states, roles, globalComponents: [], matching: { groupSize: 3 } }
  const simulation = await play('film-ratings', { participants: 6, dropOutChance: 0 }, more)
  expect(completedWith(simulation, 'SUCCESS')).toBe(6)
  const started = simulation.exported.filter(
    ({ type, data }) => type === 'playback' && data.status === 'playing',
  )
  for (const id of ['film', 'guided'])
    expect(new Set(started.flatMap((row) => (row.componentId === id ? [row.participantId] : []))).size).toBe(
      6,
    )
})

test('[R38] bots give the consent that a study asks for before they wait', async () => {
  const consent = { text: 'Your answers are stored without your name.', minReadMs: 60_000 }
  const options = { participants: 8, dropOutChance: 0 }
  const simulation = await play('public-goods', options, { consent })
  expect(completedWith(simulation, 'SUCCESS')).toBe(8)
  expect(simulation.exported.filter(({ type }) => type === 'consent_given')).toHaveLength(8)
})

test('[R93] bots measure what a study collects, and nothing else', async () => {
  const measuredIn = async (more: object) => {
    const options = { participants: 4, dropOutChance: 0 }
    const { exported } = await play('quick-survey', options, more)
    const rows = (type: string) => exported.filter((line) => line.type === type).map(({ data }) => data)
    const answers = rows('component_response')
    expect(answers.length).toBeGreaterThan(0)
    return { devices: rows('device_report'), answers: answers.map(({ paradata }) => paradata) }
  }
  const { devices, answers } = await measuredIn({ paradata: ['typing', 'network', 'device'] })
  expect(devices).toHaveLength(4)
  for (const device of devices)
    expect(device).toMatchObject({ viewportWidth: expect.any(Number), networkDelayMs: expect.any(Number) })
  for (const one of answers) expect(one).toHaveProperty('networkDelayMs')
  expect(answers).toContainEqual(expect.objectContaining({ keystrokes: expect.any(Number) }))
  expect(JSON.stringify(answers)).not.toContain('focusLost')
  const nothing = await measuredIn({})
  expect([nothing.devices, nothing.answers.filter((one) => one !== undefined)]).toEqual([[], []])
})

test('the same seed gives the same answers, another seed different ones', async () => {
  const answersOf = async (seed: string) => {
    const { logs, exported } = await play('quick-survey', { participants: 4, seed, dropOutChance: 0 })
    return logs.map((log) => {
      const participantId = eventsOf(log, 'joined')[0]?.participantId
      return exported
        .filter((line) => line.participantId === participantId && line.type === 'component_response')
        .map(({ componentId, data }) => [componentId, data.value])
    })
  }
  const [once, again, other] = await Promise.all([answersOf('5'), answersOf('5'), answersOf('6')])
  expect(again).toEqual(once)
  expect(other).not.toEqual(once)
})
