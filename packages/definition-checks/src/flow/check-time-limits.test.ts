import type { ExperimentDefinition } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import { describe, expect, it } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'
import { checkFlow } from './check-flow.ts'

const states = ['start', 'a', 'b', 'last'].map((id) => state(id))

const errorsOf = (more: Partial<ExperimentDefinition>) =>
  checkFlow(experiment(states, more), () => true).errors.map(({ path, message }) => `${path}: ${message}`)

const ofBlock = (onTimeout: object) =>
  errorsOf({ blocks: [{ id: 'some', states: ['a', 'b'], timeLimit: { afterMs: 1_000, onTimeout } }] })
const ofStudy = (onTimeout: object) => errorsOf({ timeLimit: { afterMs: 1_000, onTimeout } })

describe('[F88] a time limit', () => {
  it('may lead on, to a later state or to the end', () => {
    expect(errorsOf({ timeLimit: { afterMs: 1_000 } })).toEqual([])
    for (const onTimeout of [{ to: 'last' }, { to: 'end', outcome: 'SLOW' }, { outcome: 'SLOW' }])
      expect([...ofBlock(onTimeout), ...ofStudy(onTimeout)]).toEqual([])
  })

  it('leads neither back, nor into a block, nor nowhere', () => {
    expect(ofBlock({ to: 'start' })).toEqual([
      '/blocks/0/timeLimit/onTimeout/to: a time limit must lead to a later state, but ‘start’ comes before it applies',
    ])
    expect(ofStudy({ to: 'start' })[0]).toContain('comes before it applies')
    expect(ofBlock({ to: 'b' })[0]).toContain(
      '‘b’ is in block ‘some’; a time limit can lead only to a state outside of blocks',
    )
    expect(ofStudy({ to: 'nowhere' })).toEqual(['/timeLimit/onTimeout/to: state ‘nowhere’ does not exist'])
  })

  it('has an outcome only with the end, and says something', () => {
    expect(ofStudy({ to: 'last', outcome: 'SLOW' })[0]).toContain('only a time limit that leads to ‘end’')
    expect(ofStudy({})).toEqual(['/timeLimit/onTimeout: needs ‘to’, ‘outcome’ or both'])
  })

  it('[F87] makes the states that it leads to reachable', () => {
    const stuck = [state('start'), state('a', { next: [{ to: 'end' }] }), state('last')]
    const blocks = (timeLimit?: object) =>
      [{ id: 'some', states: ['a'], ...timeLimit }] as ExperimentDefinition['blocks'] & object
    const found = (more: Partial<ExperimentDefinition>) =>
      checkFlow(experiment(stuck, more), () => true).errors.length
    expect(found({ blocks: blocks() })).toBe(1)
    expect(found({ blocks: blocks({ timeLimit: { afterMs: 1_000 } }) })).toBe(0)
    expect(found({ timeLimit: { afterMs: 1_000, onTimeout: { to: 'last' } } })).toBe(0)
  })

  it('[F183] of a block in a block leads outside of all blocks, past the outer one', () => {
    const nested = (to: string) =>
      errorsOf({
        blocks: [
          { id: 'outer', states: ['inner', 'b'] },
          { id: 'inner', states: ['a'], timeLimit: { afterMs: 1_000, onTimeout: { to } } },
        ],
      })
    expect(nested('last')).toEqual([])
    expect(nested('b')[0]).toContain('‘b’ is in block ‘outer’')
    expect(nested('start')[0]).toContain('comes before it applies')
  })

  it('[F87,F183] of a block in a block makes reachable what follows it within the outer one', () => {
    const stuck = ['start', 'a', 'b', 'last'].map((id) =>
      state(id, id === 'a' ? { next: [{ to: 'last' }] } : {}),
    )
    const found = (inner: object, outer: object = {}) =>
      checkFlow(
        experiment(stuck, {
          blocks: [
            { id: 'outer', states: ['inner', 'b'], ...outer },
            { id: 'inner', states: ['a'], ...inner },
          ],
        }),
        () => true,
      ).errors.map(({ path }) => path)
    const timeLimit = { afterMs: 1_000 }
    expect(found({})).toEqual(['/states/2'])
    expect(found({ timeLimit })).toEqual([])
    // That of the outer one leads past it.
    expect(found({}, { timeLimit })).toEqual(['/states/2'])
  })
})

describe('[F90] the time of each participant', () => {
  const issuesOf = (end: object) => {
    const checked = checkOnSaving({ name: 'Study', states: [{ id: 'only', components: [], end }] })
    return 'issues' in checked ? checked.issues.map(({ path, message }) => `${path}: ${message}`) : []
  }

  it('is no deadline of the state: nothing that needs one is content with it', () => {
    const own = { perPersonMs: 20_000 }
    expect(issuesOf({ on: 'all_responded', afterMs: 60_000, ...own })).toEqual([])
    expect(issuesOf({ on: 'all_responded', ...own })[0]).toContain('never ends')
    expect(issuesOf({ on: 'button', ...own, onTimeout: { outcome: 'SLOW' } })[0]).toContain('afterMs')
  })
})
