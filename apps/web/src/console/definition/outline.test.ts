import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readText } from './check-text.ts'
import { outlineOf, usesVideos } from './outline.ts'

function outlineOfExample(name: string) {
  const read = readText(readFileSync(`examples/${name}.json`, 'utf8'))
  if (!read.isJson || !read.outlined) throw new Error('the example is not sound')
  return outlineOf(read.outlined)
}

test('a group experiment in words', () => {
  const { facts, states } = outlineOfExample('public-goods')
  expect(Object.fromEntries(facts.map(({ label, value }) => [label, value]))).toEqual({
    Room: '4 people',
    Conditions: 'low, high (balanced)',
    'Block rounds': 'contribute, feedback; 5 rounds, fixed order',
    Waiting: '10 min at most, then end paid',
    'Drop-out': 'continue',
    Places: 'unlimited',
  })
  expect(states[1]).toEqual({
    id: 'contribute',
    title: 'Contribute',
    ends: 'when everyone has answered, after 45 s at the latest',
    leadsTo: 'feedback',
    components: [{ id: 'contribution', title: 'Slider', note: 'required, → given' }],
    path: '/states/1',
  })
  expect(states.at(-1)).toMatchObject({ ends: 'by button, after 1 min at the latest', leadsTo: 'the end' })
})

test('conditional transitions and roles', () => {
  const { states, globals } = outlineOfExample('negotiation')
  expect(states[2]?.leadsTo).toBe('talk if !agreed; result')
  expect(states[0]?.components[0]).toEqual({ id: 'buyer_note', title: 'Text', note: 'for buyer' })
  expect(globals).toEqual([{ id: 'clock', title: 'Timer', note: 'in talk, price' }])
})

test('[R57] transitions with an outcome, and on a deadline', () => {
  const { states } = outlineOf({
    name: 'x',
    states: [
      {
        id: 'ask',
        components: [],
        end: { on: 'button', afterMs: 60_000, onTimeout: { outcome: 'TIMEOUT' } },
        next: [{ to: 'end', when: 'visit > 1', outcome: 'SCREENED_OUT' }],
      },
      { id: 'more', components: [] },
    ],
  })
  expect(states[0]?.leadsTo).toBe(
    'the end with SCREENED_OUT if visit > 1; otherwise more; the end with TIMEOUT when time runs out',
  )
})

test('[R43] agents: where they take part, when mediators speak, and what participants are told', () => {
  const chat = { id: 'chat', type: 'chat' }
  const { facts } = outlineOf({
    name: 'x',
    states: [{ id: 'talk', components: [chat] }],
    agents: [
      { id: 'seller', name: 'Sam', provider: 'Scripted', role: 'seller', seats: 2, instructions: 'Sell.' },
      {
        id: 'spare',
        name: 'Kim',
        credentialId: 'cred_1',
        fills: true,
        replaces: true,
        instructions: 'Join.',
      },
      {
        id: 'host',
        name: 'Host',
        provider: 'Scripted',
        mediates: ['chat'],
        speaks: { on: 'lull', afterMs: 20_000 },
        instructions: 'Mediate.',
      },
    ],
  })
  expect(facts.map(({ label, value }) => [label, value])).toEqual(
    expect.arrayContaining([
      ['Agent seller', 'Sam, 2 seats, as seller, scripted'],
      ['Agent spare', 'Kim, fills seats at the deadline, replaces drop-outs, by model server cred_1'],
      ['Agent host', 'Host, mediates chat after a silence of 20 s, scripted'],
      ['Agents are', 'named to participants'],
    ]),
  )
})

test('uploaded videos are named, once their names are known', () => {
  const film = { id: 'film', type: 'video', videoId: 'vid_1' }
  const definition = { name: 'Film', states: [{ id: 'watch', components: [film] }] }
  const noteWith = (names?: ReadonlyMap<string, string>) =>
    outlineOf(definition, names).states[0]?.components[0]?.note
  expect(usesVideos(definition)).toBe(true)
  expect(noteWith()).toBe('')
  expect(noteWith(new Map([['vid_1', 'sintel.mp4']]))).toBe('plays “sintel.mp4”')
  expect(noteWith(new Map())).toBe('video vid_1 not found')
})
