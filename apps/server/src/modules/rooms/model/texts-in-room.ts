import { assertNever, type ComponentView, changeComponentTexts, type TextPlace } from '@atrium/contract'
import { isAskable, type Judgement, publicComponent } from '@atrium/contract/components'
import {
  createValueWriter,
  cutMark,
  type Expression,
  enteredSource,
  evaluate,
  fieldReadAt,
  fillTemplate,
  type Insert,
  isTruthy,
  nodesIn,
  residualOf,
  type Scope,
  spend,
  type Value,
  type Work,
  type Writing,
  writeInsert,
} from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import { type ComponentBlueprint, isLive } from './component-blueprint.ts'
import { isNeighbour } from './network.ts'
import { paymentShown } from './payment-shown.ts'
import { expressionOf, type PlacedValue } from './placed-inserts.ts'
import { entryOf, type FlowState, type RoomState, type Seat } from './room-state.ts'
import { settledSettings } from './settled-settings.ts'
import { createSharedCopies, type PageBudget } from './shared-copies.ts'
import { concerns, isAskedAbout, othersIn } from './targets.ts'
import { type SteadyCommon, scopeAbout, scopeFor, steadyCommon } from './variables.ts'
import { viewAboutEach } from './view-about-each.ts'

/** Of all values on one page together. Nobody reads more, and a page is sent to everyone in the room. */
const maxValueCharacters = 100_000

/** Writes the texts of the blueprint, which is in one language, as one participant reads them now. */
export interface PageTexts {
  /** One value, as it stands in a text or decides what is shown. */
  reading(placed: PlacedValue): string
  text(text: string, format: TextPlace['format']): string
  /** One value, as its format says. */
  written(insert: Insert): string
  /** Nothing where it is not shown. */
  component(component: ComponentBlueprint): ComponentView[]
  /** Characters of all values that it has put into texts, and of components that it has put there once more. */
  characters(): number
}

/**
 * The texts of a room at one moment, for everyone in it. What everyone reads alike is written once, and all of it is charged to
 * the same work, apart from that of the rules (RM62): what a text shows must not decide whether a room goes on.
 */
export interface RoomTexts {
  readonly room: RoomState
  readonly work: Work
  /** `target`: who is asked about, in a component that asks about several people. */
  page(spoken: Blueprint, seat: Seat, flow: FlowState | null, target?: Seat): PageTexts
}

// One function, because all pages share what was computed for one of them.
export function createRoomTexts(room: RoomState, work: Work): RoomTexts {
  const writings = new Map<Blueprint, Writing & { alike: Map<string, string> }>()
  const ofMembers = new Map()
  const steady: SteadyCommon = { ...steadyCommon(), ofMembers }
  // At their own pace, participants are in different states, where `responses` means different ones.
  const commonNow = (): SteadyCommon => (room.flow ? steady : { ...steadyCommon(), ofMembers })
  const copyOf = createSharedCopies(room)

  function writingIn(spoken: Blueprint) {
    const known = writings.get(spoken)
    if (known) return known
    const formats = spoken.valueFormats()
    const begun = { work, formats, values: createValueWriter(formats, work), alike: new Map() }
    writings.set(spoken, begun)
    return begun
  }

  const page: RoomTexts['page'] = (spoken, seat, flow, target) =>
    pageAbout(spoken, seat, flow, { charactersLeft: maxValueCharacters }, target)

  /** Those who are asked about share what one page may show. */
  function pageAbout(
    spoken: Blueprint,
    seat: Seat,
    flow: FlowState | null,
    budget: PageBudget,
    target?: Seat,
    ofReader: Scope = scopeFor(room, spoken, { seat, flow, work, common: commonNow() }),
  ): PageTexts {
    const { variables } = spoken
    const { alike, ...writing } = writingIn(spoken)
    const personal = new Map<string, string>()
    const own = target
      ? scopeAbout(ofReader, target, { room, blueprint: spoken, work, common: commonNow() })
      : ofReader

    // R53: a secret is refused when the definition is saved; one that slipped through stays one.
    const isSecret = (name: string): boolean => variables.get(name)?.isSecret ?? false
    const scope: Scope = {
      ...own,
      variable: (name) => (isSecret(name) ? null : own.variable(name)),
      field(source, name) {
        if (source === 'payment' && !variables.has(source)) return shownPayment(name)
        return isOfMembers(source) && isSecret(name) ? null : own.field?.(source, name)
      },
    }

    let payment: ReturnType<typeof paymentShown> | undefined
    function shownPayment(name: string): Value {
      payment ??= paymentShown(room, spoken, seat, work)
      return entryOf(payment, name) ?? null
    }

    function value(insert: Insert, isMarkdown: boolean): string {
      const key = `${isMarkdown ? 'm' : 'p'}${insert.written}`
      const known = room.flow && !spoken.readsOf(insert.expression).isPersonal ? alike : personal
      const written = known.get(key) ?? writeInsert(insert, scope, writing, isMarkdown)
      spend(work, 1)
      known.set(key, written)
      return written
    }

    function boundedValue(insert: Insert, isMarkdown: boolean): string {
      const written = value(insert, isMarkdown)
      if (written.length > budget.charactersLeft) {
        budget.hasCut = true
        return cutMark
      }
      budget.charactersLeft -= written.length
      return written
    }

    function text(text: string, format: TextPlace['format']): string {
      const template = format === 'html' ? null : spoken.templateOf(text)
      if (template === null) return text
      return fillTemplate(template, (insert) => boundedValue(insert, format === 'markdown'))
    }

    // Many questions about somebody often have the same condition.
    const judgements = new Map<string, Judgement>()
    /** R61: what the page has to decide, because it depends on what is being entered there. */
    function judgement(when: Expression): Judgement {
      const known = judgements.get(when.text) ?? judgementNow(when)
      judgements.set(when.text, known)
      return known
    }

    function judgementNow(when: Expression): Judgement {
      const rest = residualOf(when.root, own, variables.has(enteredSource) ? '' : enteredSource, work)
      return rest.kind === 'literal' ? isTruthy(rest.value) : rest
    }

    /** Of components that stand on the page several times. */
    let copiedCharacters = 0
    let targets: readonly { one: Seat; alias: string; page: PageTexts }[] | undefined
    /** Found when something asks for them. */
    const targetsHere = () => {
      targets ??= othersIn(room, seat)
        .filter(isAskedAbout)
        .map((one) => ({ one, alias: one.alias, page: pageAbout(spoken, seat, flow, budget, one, own) }))
      return targets
    }

    function viewForEach(whole: ComponentBlueprint): ComponentView[] {
      const { aboutOne } = whole
      const asked = targetsHere().filter(({ one }) => concerns(room, seat, whole)(one))
      const each = asked.map(({ one, alias, page: texts }) => ({
        alias,
        views: copyOf(spoken, aboutOne, one, budget, () => texts.component(aboutOne)),
      }))
      copiedCharacters += aboutOne.characters * Math.max(0, each.length - 1)
      return viewAboutEach(whole, each)
    }

    function component(one: ComponentBlueprint): ComponentView[] {
      if (one.isForEach) return viewForEach(one)
      const judged = one.when === null || judgement(one.when)
      if (judged === false) return []
      const view = isLive(one) ? livingView(one) : filledTexts(one.view, one.hasInserts)
      if (!view) return []
      return [judged === true ? view : { ...view, when: { ...judged } }]
    }

    /** Undefined if too few options are left. Texts first: what a value brings into a setting is never read for braces. */
    function livingView({
      component: written,
      hasInserts,
      entryConditions,
    }: ComponentBlueprint): ComponentView | undefined {
      const filled = filledTexts(written, hasInserts)
      const settled = (judge: (when: Expression) => Judgement) =>
        settledSettings(filled, {
          templateOf: spoken.templateOf,
          expressionOf: spoken.expressionOf,
          value: ownValue,
          written: (insert) => boundedValue(insert, false),
          judge,
        })
      const mayBeAsked =
        entryConditions.length === 0 || isAskable(settled((when) => judgement(when) !== false))
      return mayBeAsked ? publicComponent(settled(judgement)) : undefined
    }

    const filledTexts = <Given extends object>(given: Given, hasInserts: boolean): Given =>
      hasInserts
        ? changeComponentTexts(given, (part, { format }) =>
            typeof part === 'string' ? text(part, format) : part,
          )
        : given
    const ownValue = (expression: Expression): Value => evaluate(expression, scope, work)

    function reading(placed: PlacedValue): string {
      if (!target && readsEach(expressionOf(placed)))
        return JSON.stringify(targetsHere().map(({ page: texts }) => texts.reading(placed)))
      switch (placed.kind) {
        case 'insert':
          return value(placed.insert, placed.isMarkdown)
        case 'condition':
          return JSON.stringify(judgement(placed.when))
        case 'setting':
          return JSON.stringify(ownValue(placed.expression))
        case 'targets':
          return JSON.stringify(targetsHere().map(({ one, alias }) => [alias, isNeighbour(room, seat, one)]))
        default:
          return assertNever(placed)
      }
    }

    return {
      reading,
      text,
      written: (insert) => boundedValue(insert, false),
      characters: () => maxValueCharacters - budget.charactersLeft + copiedCharacters,
      component,
    }
  }

  return { room, work, page }
}

const isOfMembers = (source: string): boolean => ['self', 'others', 'neighbours', 'each'].includes(source)

const readsEach = ({ root }: Expression): boolean =>
  [...nodesIn(root)].some((node) => fieldReadAt(node)?.source === 'each')
