import type { Target } from '@atrium/contract/components'
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
import { type Alike, createAskedAbout, nothingAlike } from './asked-about.ts'
import type { Blueprint } from './blueprint.ts'
import { type ComponentBlueprint, isLive } from './component-blueprint.ts'
import { entryOf, type RoomState, type Seat } from './room-state.ts'
import { settledSettings } from './settled-settings.ts'
import { answeredAbout, concerns, isAskedAbout, othersIn } from './targets.ts'
import { createRoomTexts, type PageTexts } from './texts-in-room.ts'
import { scopeAbout, scopeFor } from './variables.ts'
import { flowOf, stateOf } from './visible-components.ts'

/** R61: what one participant is shown at this moment, by what they have sent. */
export interface Shown {
  has(component: ComponentBlueprint): boolean
  /** The component with the options and rows that they are offered, and with those whom it asks about. */
  settled(component: ComponentBlueprint): ComponentBlueprint
  /** The same as it takes this answer, which may be about people who have left meanwhile. */
  answerable(component: ComponentBlueprint, answer: unknown): ComponentBlueprint
  /** Those whom it asks about, in seat order. */
  askedAbout(component: ComponentBlueprint): string[]
}

/** Nothing is evaluated for components without conditions. `alike`: what was decided for others while nothing has happened since. */
export function createShownTo(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
  work: Work,
  alike: Alike = nothingAlike(),
): Shown {
  const decided = new Map<ComponentBlueprint, boolean>()
  const whole: PageAbout = pageAbout()
  const abouts = new Map<Seat, PageAbout>()
  const about = (target: Seat): PageAbout => {
    const known = abouts.get(target) ?? pageAbout(target)
    abouts.set(target, known)
    return known
  }
  const asked = createAskedAbout(
    { room, blueprint, seat, alike },
    {
      holds: (when, target) => (target ? about(target) : whole).holds(when),
      isAskable: (component, target) => about(target).settled(component).isAskable,
    },
  )

  const askedNow = (): Seat[] => othersIn(room, seat).filter(isAskedAbout)

  function has(component: ComponentBlueprint): boolean {
    const hasEntryConditions = component.entryConditions.length > 0
    if (component.when === null && !hasEntryConditions && !component.isForEach) return true
    const known = decided.get(component)
    if (known !== undefined) return known
    // Conditions that wait for each other are refused on saving; one that slipped through is not met.
    decided.set(component, false)
    const isMet = component.isForEach
      ? asked.anyone(component)
      : (component.when === null || whole.holds(component.when)) &&
        (component.entryConditions.length === 0 || whole.settled(component).isAskable)
    decided.set(component, isMet)
    return isMet
  }

  function withTargets(component: ComponentBlueprint, whom: () => readonly Seat[]): ComponentBlueprint {
    if (!component.isForEach) return whole.settled(component)
    const { aboutOne } = component
    const targets = whom()
      .filter(concerns(room, seat, component))
      .flatMap((one): Target[] =>
        asked.asks(aboutOne, one)
          ? [{ alias: one.alias, component: about(one).settled(aboutOne).component }]
          : [],
      )
    return component.settledAs(Object.assign({}, component.component, { targets }))
  }

  /** What is found for the page, or for one of those whom a component asks about. */
  function pageAbout(target?: Seat): PageAbout {
    let scope: Scope | undefined
    let texts: PageTexts | undefined

    const scopeHere = (): Scope => {
      scope ??= target
        ? scopeAbout(whole.scopeHere(), target, { room, blueprint, work, common: alike.common })
        : scopeOfPage()
      return scope
    }
    const found = (expression: Expression): Value => evaluate(expression, scopeHere(), work)
    const holds = (when: Expression): boolean => isTruthy(found(when))

    /** As their page has it, so that what they were offered is what they may answer. */
    function written(insert: Insert): string {
      const spoken = blueprint.inLanguage(seat.language)
      texts ??= createRoomTexts(room, work).page(spoken, seat, flowOf(room, seat), target)
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
          expressionOf: blueprint.expressionOf,
          value: found,
          written,
          judge: holds,
        }),
      )
    }

    return { holds, settled, scopeHere }
  }

  return {
    has,
    settled: (component) => withTargets(component, askedNow),
    answerable: (component, answer) =>
      withTargets(component, () => answeredAbout(room, seat, Object.keys(Object(answer)))),
    askedAbout: (component) =>
      askedNow()
        .filter(concerns(room, seat, component))
        .flatMap((one) => (asked.asks(component.aboutOne, one) ? [one.alias] : [])),
  }
}

type PageAbout = Pick<Shown, 'settled'> & { holds(when: Expression): boolean; scopeHere(): Scope }
