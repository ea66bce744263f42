import type { ExperimentDefinition } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import { describe, expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'

const button = { end: { on: 'button' as const } }
const asked = state('ask', { ...button, components: [{ id: 'mood', type: 'slider' }] })

const findingsFor = (when: string, more: Partial<ExperimentDefinition> = {}) =>
  checkFlow(
    experiment([asked, state('inside', button), state('after', button)], {
      blocks: [{ id: 'extra', states: ['inside'], when }],
      variables: { rich: false, points: { scope: 'participant', initial: 0 } },
      ...more,
    }),
    () => true,
  )
const errorsFor = (when: string, more: Partial<ExperimentDefinition> = {}) =>
  findingsFor(when, more).errors.map(({ path, message }) => `${path}: ${message}`)

describe('[F110] the condition of a block', () => {
  it('reads variables, responses, the condition and the role', () => {
    const conditions = { factors: { frame: ['gain', 'loss'] } }
    for (const when of [
      'rich',
      'points > 3',
      'response.mood > 50',
      "condition.frame == 'gain'",
      'role == "a"',
    ])
      expect(errorsFor(when, { conditions }), when).toEqual([])
  })

  it('is checked like any other expression', () => {
    expect(errorsFor('rihc')).toEqual([expect.stringMatching(/^\/blocks\/0\/when: .*‘rich’/)])
    expect(errorsFor('answers.mood > 3')).toEqual([expect.stringMatching(/\/when: .*use response\.x/)])
    expect(errorsFor('elapsedMs > 3')).toEqual([expect.stringMatching(/^\/blocks\/0\/when: /)])
    expect(errorsFor('draw([true, false])')).toEqual([expect.stringMatching(/^\/blocks\/0\/when: /)])
  })

  it('cannot read a row, because none is played yet', () => {
    const more: Partial<ExperimentDefinition> = {
      tables: { words: { rows: [{ word: 'red' }] } },
      blocks: [{ id: 'extra', states: ['inside'], when: "trial.word == 'red'", trials: { table: 'words' } }],
    }
    expect(errorsFor('', more)).toEqual([
      '/blocks/0/when: ‘trial.word’ cannot be used here: no row is played yet when block ‘extra’ is about to begin; read a variable instead',
    ])
  })

  it('is about the room where everyone moves together, so it cannot depend on one of them', () => {
    const group = { matching: { groupSize: 2 } }
    expect(errorsFor('points > 3', group)).toEqual([expect.stringContaining('use a room variable')])
    expect(errorsFor('rich', group)).toEqual([])
    expect(errorsFor('points > 3', { ...group, pacing: 'participant' })).toEqual([])
  })

  it('[F113] ends the block after a round by what it has left, checked in the same way', () => {
    const until = (rule: string, more: Partial<ExperimentDefinition> = {}) =>
      errorsFor('', {
        blocks: [{ id: 'extra', states: ['inside'], rounds: 9, until: rule }],
        matching: { groupSize: 2 },
        ...more,
      })
    for (const rule of ['rich', 'round == 3', 'count(responses.mood) == 0', 'elapsedMs > 60000'])
      expect(until(rule), rule).toEqual([])
    expect(until('rihc')).toEqual([expect.stringMatching(/^\/blocks\/0\/until: .*‘rich’/)])
    expect(until('points > 3')).toEqual([expect.stringContaining('use a room variable')])
    expect(until('points > 3', { pacing: 'participant' })).toEqual([])
    expect(until('drawInt(1, 4) == 1')).toEqual([expect.stringContaining('/blocks/0/until: ')])
  })

  it('causes a warning where it compares the condition with one that there is not', () => {
    const { warnings } = findingsFor("condition == 'lose'", { conditions: { values: ['gain', 'loss'] } })
    expect(warnings).toEqual([
      { path: '/blocks/0/when', message: 'condition ‘lose’ does not exist, so this is never equal' },
    ])
  })

  it('makes what follows the block reachable, whatever its states lead to', () => {
    const states = [asked, state('inside', { ...button, next: [{ to: 'end' }] }), state('after', button)]
    const errors = (when?: string) =>
      checkFlow(
        experiment(states, {
          blocks: [{ id: 'extra', states: ['inside'], ...(when !== undefined && { when }) }],
        }),
        () => true,
      ).errors.map(({ path }) => path)
    expect(errors()).toEqual(['/states/2'])
    expect(errors('response.mood > 50')).toEqual([])
  })

  it('does not make a loop of states that end at once look certain', () => {
    const instant = { end: { on: 'condition' as const, when: 'true' } }
    const states = [
      state('first', instant),
      state('inside', { ...instant, next: [{ to: 'first', atMost: 5_000 }] }),
    ]
    const errors = (more: { when?: string }) =>
      checkFlow(
        experiment(states, {
          variables: { rich: false },
          blocks: [{ id: 'extra', states: ['inside'], ...more }],
        }),
        () => true,
      ).errors
    expect(errors({})).toHaveLength(1)
    expect(errors({ when: 'rich' })).toEqual([])
  })
})
