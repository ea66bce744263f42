import type { ExperimentDefinition } from '@atrium/contract'
import { blocksEntered, nextPosition, planSteps, positionAfterBlock } from '@atrium/flow'
import { anyDefinition } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'

interface Walk {
  visited: Set<string>
  visits: number
  hasEnded: boolean
}

/** Plays a definition like a room, with `decide` as the result of every expression. */
function walk(
  definition: ExperimentDefinition,
  seed: string,
  decide: () => boolean,
  maxVisits: number,
): Walk {
  const steps = planSteps(definition, seed, 3)
  const taken = new Map<object, number>()
  const visited = new Set<string>()
  const conditional = new Set(definition.blocks?.flatMap(({ id, when }) => (when === undefined ? [] : [id])))
  /** Past the blocks whose conditions are not met (F110). */
  function entered(from: number | null, to: number): number {
    const blocks = blocksEntered(from === null ? undefined : steps[from], steps[to])
    const skipped = blocks.find((block) => conditional.has(block) && !decide())
    if (skipped === undefined) return to
    const after = positionAfterBlock(steps, to, skipped)
    return entered(after - 1, after)
  }
  let position = entered(null, 0)
  let visits = 0
  while (position < steps.length && visits < maxVisits) {
    const stateId = steps[position]?.stateId ?? ''
    visited.add(stateId)
    visits += 1
    const next = definition.states.find(({ id }) => id === stateId)?.next ?? []
    const chosen = next.find((transition) => {
      const isSpent = (taken.get(transition) ?? 0) >= (transition.atMost ?? Number.POSITIVE_INFINITY)
      return !isSpent && (transition.when === undefined || decide())
    })
    if (chosen) taken.set(chosen, (taken.get(chosen) ?? 0) + 1)
    position = entered(position, nextPosition(steps, position, chosen?.to ?? null))
  }
  return { visited, visits, hasEnded: position >= steps.length }
}

const decisions = fc.infiniteStream(fc.boolean())

/** Where there are two blocks, one may be in the other. */
const nestedDefinition = fc.tuple(anyDefinition, fc.boolean()).map(([definition, isNested]) => {
  const [outer, inner] = definition.blocks ?? []
  return isNested && outer && inner
    ? { ...definition, blocks: [{ ...outer, states: [...outer.states, inner.id] }, inner] }
    : definition
})

/** The number of visits within which a valid definition ends. */
function boundOf(definition: ExperimentDefinition): number {
  const transitions = definition.states.flatMap(({ next = [] }) => next)
  const returns = transitions.reduce((sum, { atMost = 0 }) => sum + atMost, 0)
  return (1 + returns) * planSteps(definition, '', 0).length
}

it('[F26] [F184] a random definition has errors with valid paths, or ends within its bound', () => {
  const outcomes = { refused: 0, played: 0 }
  fc.assert(
    fc.property(nestedDefinition, fc.string(), decisions, (definition, seed, stream) => {
      const { errors } = checkFlow(definition, () => true)
      if (errors.length > 0) {
        outcomes.refused += 1
        expect(errors.filter(({ path }) => valueAt(definition, path) === undefined)).toEqual([])
        return
      }
      outcomes.played += 1
      const bound = boundOf(definition)
      const { hasEnded, visits } = walk(definition, seed, () => stream.next().value, bound + 1)
      expect({ hasEnded, isWithin: visits <= bound }).toEqual({ hasEnded: true, isWithin: true })
    }),
    { numRuns: 2500 },
  )
  expect(Math.min(outcomes.refused, outcomes.played)).toBeGreaterThan(50)
})

it('[F17] [F183] a state reported as unreachable is never visited', () => {
  fc.assert(
    fc.property(nestedDefinition, fc.string(), decisions, (definition, seed, stream) => {
      const { errors } = checkFlow(definition, () => true)
      // Refused: such a transition leads on instead, where its target was not drawn.
      if (errors.some(({ message }) => message.includes('may not be drawn'))) return
      const unreachable = definition.states.filter((_, at) =>
        errors.some(({ path }) => path === `/states/${at}`),
      )
      const { visited } = walk(definition, seed, () => stream.next().value, 300)
      expect(unreachable.filter(({ id }) => visited.has(id))).toEqual([])
    }),
    { numRuns: 800 },
  )
})

function valueAt(root: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      root,
    )
}
