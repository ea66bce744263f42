import { judgedEntries } from '@atrium/contract/components'
import {
  type Expression,
  enteredSource,
  evaluate,
  isTruthy,
  type Scope,
  type Work,
} from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import { compileExpression } from './compiled-expression.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import { entryOf, type RoomState, type Seat } from './room-state.ts'
import { scopeFor } from './variables.ts'
import { flowOf, stateOf } from './visible-components.ts'

/** R61: what one participant is shown at this moment, by what they have sent. */
export interface Shown {
  has(component: ComponentBlueprint): boolean
  /** The component with the options and rows that they are offered. */
  settled(component: ComponentBlueprint): ComponentBlueprint
}

/** Nothing is evaluated for components without conditions. */
export function createShownTo(room: RoomState, blueprint: Blueprint, seat: Seat, work: Work): Shown {
  const decided = new Map<ComponentBlueprint, boolean>()
  let scope: Scope | undefined

  function has(component: ComponentBlueprint): boolean {
    if (component.when === null) return true
    const known = decided.get(component)
    if (known !== undefined) return known
    // Conditions that wait for each other are refused on saving; one that slipped through is not met.
    decided.set(component, false)
    const isMet = holds(component.when)
    decided.set(component, isMet)
    return isMet
  }

  const holds = (when: Expression): boolean => {
    scope ??= scopeOfPage()
    return isTruthy(evaluate(when, scope, work))
  }

  function scopeOfPage(): Scope {
    const flow = flowOf(room, seat)
    const here = scopeFor(room, blueprint, { seat, flow, work })
    const components = stateOf(blueprint, flow)?.components ?? []
    return {
      ...here,
      field(source, name) {
        if (source !== enteredSource || blueprint.variables.has(source)) return here.field?.(source, name)
        const asked = components.find(({ component }) => component.id === name)
        return asked && has(asked) ? (entryOf(seat.here.answers, name)?.value ?? null) : null
      },
    }
  }

  return {
    has,
    settled(component) {
      if (component.entryConditions.length === 0) return component
      const judge = (when: unknown) => typeof when !== 'string' || holds(compileExpression(when))
      return component.withEntries(judgedEntries(component.component, judge))
    },
  }
}
