import { type ComponentView, changeComponentTexts, type TextPlace } from '@atrium/contract'
import {
  createValueWriter,
  cutMark,
  fillTemplate,
  type Insert,
  isSpent,
  type Scope,
  spend,
  type Value,
  type Work,
  type Writing,
  writeInsert,
} from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import type { FlowState, RoomState, Seat } from './room-state.ts'
import { type Common, emptyCommon, scopeFor } from './variables.ts'

/** Of all values on one page together. Nobody reads more, and a page is sent to everyone in the room. */
const maxValueCharacters = 100_000

/** Writes the texts of the blueprint, which is in one language, as one participant reads them now. */
export interface PageTexts {
  /** One value, as it stands in a text. */
  value(insert: Insert, isMarkdown: boolean): string
  text(text: string, format: TextPlace['format']): string
  component(component: ComponentBlueprint): ComponentView
  /** Characters of all values that it has put into texts. */
  characters(): number
}

/**
 * The texts of a room at one moment, for everyone in it. What everyone reads alike is written once, and all of it is charged to
 * the same work, apart from that of the rules (RM62): what a text shows must not decide whether a room goes on.
 */
export interface RoomTexts {
  readonly room: RoomState
  readonly work: Work
  page(spoken: Blueprint, seat: Seat, flow: FlowState | null): PageTexts
}

// One function, because all pages share what was computed for one of them.
export function createRoomTexts(room: RoomState, work: Work): RoomTexts {
  const writings = new Map<Blueprint, Writing & { alike: Map<string, string> }>()
  const valuesByVariable = new Map<string, readonly Value[]>()
  // At their own pace, participants are in different states, where `responses` means different ones.
  const common: Common | undefined = room.flow ? { ...emptyCommon(), computed: new Map() } : undefined
  const reading = (seat: Seat, flow: FlowState | null) => ({ seat, flow, work, ...(common && { common }) })

  function writingIn(spoken: Blueprint) {
    const known = writings.get(spoken)
    if (known) return known
    const formats = spoken.valueFormats()
    const begun = { work, formats, values: createValueWriter(formats, work), alike: new Map() }
    writings.set(spoken, begun)
    return begun
  }

  /** Of everyone, in seat order: each is computed once, not once for everyone who reads it. */
  function valuesOf(blueprint: Blueprint, name: string): readonly Value[] {
    const known = valuesByVariable.get(name)
    if (known) return known
    const values = room.seats.map((one) => {
      spend(work, 1)
      if (one.replacedBy !== undefined || isSpent(work)) return null
      return readValue(blueprint, scopeFor(room, blueprint, reading(one, one.flow ?? room.flow)), name)
    })
    valuesByVariable.set(name, values)
    return values
  }

  function valuesOfOthers(blueprint: Blueprint, reader: Seat, name: string): Value {
    const values = valuesOf(blueprint, name)
    spend(work, values.length / 8)
    return values.filter((_, index) => {
      const one = room.seats[index]
      return one?.participantId !== reader.participantId && one?.replacedBy === undefined
    })
  }

  function page(spoken: Blueprint, seat: Seat, flow: FlowState | null): PageTexts {
    const { variables } = spoken
    const { alike, ...writing } = writingIn(spoken)
    const personal = new Map<string, string>()
    const own = scopeFor(room, spoken, reading(seat, flow))
    let charactersLeft = maxValueCharacters
    let names: ReturnType<Blueprint['readsOf']> | undefined

    const scope: Scope = {
      ...own,
      variable(name) {
        if (variables.has(name)) return readValue(spoken, own, name)
        if (name === 'others') return record(names?.ofOthers, (one) => valuesOfOthers(spoken, seat, one))
        return name === 'self' ? record(names?.ofSelf, (one) => readValue(spoken, own, one)) : undefined
      },
    }

    function value(insert: Insert, isMarkdown: boolean): string {
      const key = `${isMarkdown ? 'm' : 'p'}${insert.written}`
      names = spoken.readsOf(insert)
      const known = room.flow && !names.isPersonal ? alike : personal
      const written = known.get(key) ?? writeInsert(insert, scope, writing, isMarkdown)
      spend(work, 1)
      known.set(key, written)
      return written
    }

    function boundedValue(insert: Insert, isMarkdown: boolean): string {
      const written = value(insert, isMarkdown)
      if (written.length > charactersLeft) return cutMark
      charactersLeft -= written.length
      return written
    }

    function text(text: string, format: TextPlace['format']): string {
      const template = format === 'html' ? null : spoken.templateOf(text)
      if (template === null) return text
      return fillTemplate(template, (insert) => boundedValue(insert, format === 'markdown'))
    }

    return {
      value,
      text,
      characters: () => maxValueCharacters - charactersLeft,
      component: ({ view, hasInserts }) =>
        hasInserts
          ? changeComponentTexts(view, (one, { format }) =>
              typeof one === 'string' ? text(one, format) : one,
            )
          : view,
    }
  }

  return { room, work, page }
}

/** R53: a secret is refused when the definition is saved; one that slipped through stays one. */
const readValue = ({ variables }: Blueprint, scope: Scope, name: string): Value =>
  variables.get(name)?.isSecret === false ? (scope.variable(name) ?? null) : null

const record = (names: readonly string[] | undefined, read: (name: string) => Value): Value =>
  Object.fromEntries((names ?? []).map((name) => [name, read(name)]))
