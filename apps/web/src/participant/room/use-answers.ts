import type { ComponentView, RoomSnapshot, StateView } from '@atrium/contract'
import { componentTypeOf, isRequired } from '@atrium/contract/components'
import { useCallback, useEffect, useRef, useState } from 'react'
import { texts } from '../../text/participant.ts'
import { refusalTextOf } from '../refusal-text.ts'
import type { WayOnWithout } from '../views/view.ts'
import type { AnswerTiming } from './answer-times.ts'
import { planSending } from './answering.ts'
import type { RoomActions } from './room-actions.ts'
import { draftKept, draftsShown, readsOf, useShown } from './shown.ts'
import { type Drafts, loadDrafts, saveDrafts } from './typed.ts'

/** Drafts are sent this long before a deadline, which leaves time for a slow network. */
const beforeDeadlineMs = 1_500

type Problems = Readonly<Record<string, string>>

/** The answers of one visit to a state: drafts, what is being sent, what was refused. */
export function useAnswers(view: RoomSnapshot, state: StateView, actions: RoomActions) {
  const { roomId, self } = view
  const place = { participantId: self.participantId, roomId, visit: state.visit }
  const [kept, setKept] = useState<Drafts>(() => loadDrafts(place))
  const [problems, setProblems] = useState<Problems>({})
  const [isSending, setSending] = useState(false)
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const asked = useShown(state.components, (id) => kept[id] ?? self.responses[id])
  const shown = asked.map((one) => (without.has(one.id) ? { ...one, required: false } : one))
  const drafts = draftsShown(shown, kept)
  // Global components may also have to be answered before the study continues.
  const components = [...shown, ...view.globalComponents]
  const times = actions.timesIn(state.visit)

  /** A value, or how it follows from the one before: several parts of one answer may change at once. */
  function draft(id: string, value: unknown): void {
    times?.changed(id)
    setProblems(({ [id]: _solved, ...others }) => others)
    const component = shown.find((one) => one.id === id)
    setKept((before) => {
      const entered: unknown = typeof value === 'function' ? value(before[id]) : value
      const next = { ...before, [id]: draftKept(component, before[id], entered) }
      saveDrafts(place, next)
      return next
    })
  }
  const draftLate = useRef(draft)
  draftLate.current = draft
  /** Always the same, so that a key renders only what it changes. */
  const onDraft = useCallback((id: string, value: unknown) => draftLate.current(id, value), [])

  const timingOf = (id: string): AnswerTiming => times?.timingOf(id) ?? {}

  async function sendOne({ id }: ComponentView, value: unknown): Promise<boolean> {
    try {
      await actions.answer(state.visit, id, value, timingOf(id))
      return true
    } catch (error) {
      setProblems((before) => ({ ...before, [id]: refusalTextOf(error) }))
      return false
    }
  }

  /** Sends every complete answer. Returns true if nothing keeps the participant from continuing. */
  async function sendAll({ evenIncomplete = false } = {}): Promise<boolean> {
    const plan = planSending(components, drafts, self, readsIn(state.components))
    const missing = plan.missing.map(({ id }) => [id, texts().problems.doThisFirst] as const)
    const stops = { ...plan.problems, ...Object.fromEntries(missing) }
    if (Object.keys(stops).length > 0 && !evenIncomplete) {
      setProblems(stops)
      return false
    }
    setSending(true)
    try {
      const sent = await Promise.all(plan.answers.map(({ component, value }) => sendOne(component, value)))
      return sent.every(Boolean)
    } finally {
      setSending(false)
    }
  }

  const sendLate = useRef(sendAll)
  sendLate.current = sendAll
  useEffect(() => {
    if (state.deadlineAt === null || view.status !== 'running') return
    const delayMs = state.deadlineAt - beforeDeadlineMs - actions.serverNow()
    if (delayMs < 0) return
    const timer = setTimeout(() => void sendLate.current({ evenIncomplete: true }), delayMs)
    return () => clearTimeout(timer)
  }, [state.deadlineAt, view.status, actions])

  /** RM244: the room waits for it no longer. */
  async function goOnWithout(id: string): Promise<void> {
    try {
      await actions.cannotAnswer(state.visit, id)
      setWithout((before) => new Set([...before, id]))
      setProblems(({ [id]: _solved, ...others }) => others)
    } catch (error) {
      setProblems((before) => ({ ...before, [id]: refusalTextOf(error) }))
    }
  }

  function wayOnWithout(component: ComponentView): WayOnWithout | undefined {
    const { id, type } = component
    const isTaken = without.has(id)
    const isNeeded = componentTypeOf(type).needsPictures && (isTaken || isRequired(component))
    return isNeeded ? { isTaken, take: () => void goOnWithout(id) } : undefined
  }

  return { shown, drafts, problems, isSending, onDraft, sendAll, wayOnWithout }
}

const readsIn =
  (components: readonly ComponentView[]) =>
  (id: string): Iterable<string> => {
    const component = components.find((one) => one.id === id)
    return component ? readsOf(component) : []
  }
