import {
  type Expression,
  enteredSource,
  evaluate,
  type Insert,
  isTruthy,
  type Scope,
  type Value,
  type Work,
} from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import { type ComponentBlueprint, isLive } from './component-blueprint.ts'
import { entryOf, type RoomState, type Seat } from './room-state.ts'
import { settledSettings } from './settled-settings.ts'
import { createRoomTexts, type PageTexts } from './texts-in-room.ts'
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
  let texts: PageTexts | undefined

  function has(component: ComponentBlueprint): boolean {
    const hasEntryConditions = component.entryConditions.length > 0
    if (component.when === null && !hasEntryConditions) return true
    const known = decided.get(component)
    if (known !== undefined) return known
    // Conditions that wait for each other are refused on saving; one that slipped through is not met.
    decided.set(component, false)
    const isMet =
      (component.when === null || holds(component.when)) &&
      (!hasEntryConditions || settled(component).isAskable)
    decided.set(component, isMet)
    return isMet
  }

  const found = (expression: Expression): Value => {
    scope ??= scopeOfPage()
    return evaluate(expression, scope, work)
  }
  const holds = (when: Expression): boolean => isTruthy(found(when))

  /** As their page has it, so that what they were offered is what they may answer. */
  function written(insert: Insert): string {
    texts ??= createRoomTexts(room, work).page(blueprint.inLanguage(seat.language), seat, flowOf(room, seat))
    return texts.written(insert)
  }

  function scopeOfPage(): Scope {
    const flow = flowOf(room, seat)
    const components = stateOf(blueprint, flow)?.components ?? []
    let known: Scope | undefined
    // Most conditions read only answers of the same page, and this is asked for everyone after each action.
    const here = (): Scope => {
      known ??= scopeFor(room, blueprint, { seat, flow, work })
      return known
    }
    return {
      variable: (name) => here().variable(name),
      response: (id) => here().response(id),
      responses: (id) => here().responses(id),
      field(source, name) {
        if (source !== enteredSource || blueprint.variables.has(source)) return here().field?.(source, name)
        const asked = components.find(({ component }) => component.id === name)
        return asked && has(asked) ? (entryOf(seat.here.answers, name)?.value ?? null) : null
      },
      get facts() {
        return here().facts
      },
    }
  }

  function settled(component: ComponentBlueprint): ComponentBlueprint {
    if (!isLive(component)) return component
    return component.settledAs(
      settledSettings(component.component, {
        templateOf: blueprint.templateOf,
        value: found,
        written,
        judge: holds,
      }),
    )
  }

  return { has, settled }
}
