import { type ComponentView, changeComponentTexts, type TextPlace } from '@atrium/contract'
import { fillTemplate, type Scope, type Template, type Value } from '../../flow/index.ts'
import type { Blueprint, ComponentBlueprint } from './blueprint.ts'
import type { FlowState, RoomState, Seat } from './room-state.ts'
import { workFor } from './turn.ts'
import { scopeFor } from './variables.ts'

/** Writes the texts of the blueprint, which is in one language, as one participant reads them now. */
export interface TextWriter {
  text(text: string, format: TextPlace['format']): string
  component(component: ComponentBlueprint): ComponentView
}

export function createTextWriter(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
  flow: FlowState | null,
): TextWriter {
  // Apart from the work of the rules (RM62): what a text shows must not decide whether a room goes on.
  const work = workFor(room.seats.length)
  const own = scopeFor(room, blueprint, { seat, flow, work })
  const { variables } = blueprint

  /** R53: a secret is refused when the definition is saved; one that slipped through stays one. */
  const shown = (name: string): boolean => variables.get(name)?.isSecret === false
  const readValue = (scope: Scope, name: string): Value =>
    shown(name) ? (scope.variable(name) ?? null) : null

  const ofOthers = ({ ofOthers: names }: Template): Value =>
    Object.fromEntries(
      [...names].map((name): [string, Value] => [
        name,
        room.seats
          .filter((one) => one.participantId !== seat.participantId && one.replacedBy === undefined)
          .map((one) =>
            readValue(scopeFor(room, blueprint, { seat: one, flow: one.flow ?? flow, work }), name),
          ),
      ]),
    )

  const ofSelf = (): Value =>
    Object.fromEntries(
      [...variables].flatMap(([name, { scope }]): [string, Value][] =>
        scope === 'participant' ? [[name, readValue(own, name)]] : [],
      ),
    )

  function scopeOf(template: Template): Scope {
    return {
      ...own,
      variable(name) {
        if (variables.has(name)) return readValue(own, name)
        if (name === 'others') return ofOthers(template)
        return name === 'self' ? ofSelf() : undefined
      },
    }
  }

  function text(text: string, format: TextPlace['format']): string {
    const template = format === 'html' ? null : blueprint.templateOf(text)
    if (template === null) return text
    return fillTemplate(template, scopeOf(template), work, {
      formats: blueprint.valueFormats(),
      isMarkdown: format === 'markdown',
    })
  }

  return {
    text,
    component: ({ view, hasInserts }) =>
      hasInserts
        ? changeComponentTexts(view, (value, { format }) =>
            typeof value === 'string' ? text(value, format) : value,
          )
        : view,
  }
}
