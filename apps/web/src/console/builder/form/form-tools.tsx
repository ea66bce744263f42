import type { DefinitionFinding } from '@atrium/contract'
import { type ComponentType, createContext, useContext, useEffect } from 'react'
import { descriptionOf, withCode } from './description.tsx'
import { labelOf, type Schema } from './schema.ts'

export interface FieldProps {
  schema: Schema
  /** JSON pointer of the value. */
  at: string
  /** Of the property; of its list, for an item. */
  name: string
  value: unknown
  isRequired: boolean
  /** Instead of the one that the schema gives. */
  label?: string
}

/** A new object each time, so that somebody can go to the same place again. */
export interface Target {
  at: string
}

/** What the fields of a form need from the builder. Places are JSON pointers. */
export interface FormTools {
  /** The field for any schema. Given here because fields contain fields. */
  Field: ComponentType<FieldProps>
  isReadOnly: boolean
  languages: readonly string[]
  /** `undefined` removes it. Edits of the same place in a row are one step to undo. */
  set: (at: string, value: unknown) => void
  add: (list: string, item: unknown) => void
  remove: (at: string) => void
  move: (list: string, from: number, to: number) => void
  duplicate: (list: string, at: number) => void
  rename: (at: string, name: string) => void
  /** With everything that refers to it. */
  setId: (at: string, id: string) => void
  /** Gives a state that is not published yet an id like its name. */
  nameState: (at: string) => void
  addComponent: (list: string, type: string) => void
  /** The next edit is a step of its own. */
  settle: () => void
  findingsAt: (at: string) => readonly DefinitionFinding[]
  /** Of a place and everything in it. */
  findingsWithin: (at: string) => readonly DefinitionFinding[]
  /** The place that somebody wants to go to: whatever hides it opens. */
  target: Target | undefined
  goTo: (at: string) => void
  /** Names that a property may refer to. */
  suggestionsFor: (property: string) => readonly string[] | undefined
}

const ToolsContext = createContext<FormTools | undefined>(undefined)
export const FormToolsProvider = ToolsContext.Provider

export function useFormTools(): FormTools {
  const tools = useContext(ToolsContext)
  if (!tools) throw new Error('a field stands in a builder')
  return tools
}

const focusable = 'input, textarea, select, button, [tabindex]'

/** Brings the place that somebody went to into view, once it is drawn: the field itself, or what surrounds it. */
export function useFocusOn(target: Target | undefined): void {
  useEffect(() => {
    if (!target) return
    const frame = requestAnimationFrame(() => {
      for (let at = target.at; ; at = at.slice(0, at.lastIndexOf('/'))) {
        const found = document.querySelector<HTMLElement>(`[data-at="${CSS.escape(at)}"]`)
        if (found && at !== '') {
          const field = found.matches(focusable) ? found : found.querySelector<HTMLElement>(focusable)
          found.scrollIntoView({ block: 'center' })
          field?.focus({ preventScroll: true })
          return
        }
        if (!at.includes('/')) return
      }
    })
    return () => cancelAnimationFrame(frame)
  }, [target])
}

/** What every input of a form has in common: its words, and what is wrong with it. */
export function useInputProps({ schema, at, name, isRequired, label }: FieldProps) {
  const { findingsAt, isReadOnly, settle } = useFormTools()
  const findings = findingsAt(at)
  const messages = findings.map(({ message }) => message).join(' · ')
  const description = descriptionOf(name, schema)
  return {
    label: label ?? labelOf(name, schema),
    description: description === undefined ? undefined : withCode(description),
    error: messages === '' ? undefined : withCode(messages),
    withAsterisk: isRequired,
    disabled: isReadOnly,
    onBlur: settle,
    size: 'sm',
  } as const
}
