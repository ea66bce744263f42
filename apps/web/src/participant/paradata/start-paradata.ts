import type { Participant } from '@atrium/client'
import type { DeviceReport, ParadataKind } from '@atrium/contract'
import type { AnswerMeter } from '../room/answer-times.ts'
import type { DraftPlace } from '../room/typed.ts'
import { type DeviceWindow, describeDevice } from './device/describe-device.ts'
import { createDeviceReporter } from './device/report-device.ts'
import { createMeter, type Meter } from './meter.ts'
import { charactersIn, hasTextField, isDeletion, isTextField, isTyping } from './typing.ts'
import { type PageWatch, watchPage } from './watch-page.ts'

/** What is measured of one participant, beside when they answer what. */
export interface Paradata {
  /** Measures the answers of one visit to a state, and of no other from then on. */
  meterIn(place: DraftPlace, now: () => number): AnswerMeter
  stop(): void
}

/** R93: measures what the study collects. Loaded only for studies that collect something. */
export function startParadata(participant: Participant, kinds: readonly ParadataKind[]): Paradata {
  let meter: Meter | undefined
  const networkDelayMs = () => participant.networkDelayMs
  const watch = kinds.includes('focus')
    ? watchPage(
        () => meter?.leave(),
        () => meter?.comeBack(),
      )
    : undefined
  const stopRecording = watch && recordVisibility(participant, watch)
  const stopReporting = reportDevice(participant, kinds)

  return {
    meterIn(place, now) {
      const opened = createMeter({
        kinds,
        now,
        isAway: () => watch?.isAway() ?? false,
        networkDelayMs,
        place,
      })
      const components = new Map<string, HTMLElement>()
      meter = opened
      return {
        painted: opened.painted,
        listenTo(component, id) {
          components.set(id, component)
          return listenTo(component, id, opened, kinds)
        },
        paradataOf(id) {
          const component = components.get(id)
          return opened.countedFor(id, component !== undefined && hasTextField(component))
        },
      }
    },
    stop() {
      meter = undefined
      watch?.stop()
      stopRecording?.()
      stopReporting()
    },
  }
}

/** Records when the page was hidden, so that researchers know whether people were there. */
function recordVisibility(participant: Participant, { isClosing }: PageWatch): () => void {
  function look(): void {
    if (!isClosing())
      record(participant, document.visibilityState === 'hidden' ? 'page_hidden' : 'page_visible')
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}

function reportDevice(participant: Participant, kinds: readonly ParadataKind[]): () => void {
  const reporter = createDeviceReporter({
    kinds,
    describe: () => describeDevice(deviceWindow()),
    networkDelayMs: () => participant.networkDelayMs,
    report: (data) => record(participant, 'device_report', data),
    after(delayMs, act) {
      const timer = setTimeout(act, delayMs)
      return () => clearTimeout(timer)
    },
  })
  const stopping = new AbortController()
  const { changed } = reporter
  const inputs = ['(any-pointer: coarse)', '(any-pointer: fine)', '(any-hover: hover)']
  for (const [target, name] of [
    [window, 'resize'],
    [window, 'languagechange'],
    ...inputs.map((query) => [matchMedia(query), 'change'] as const),
  ] as const)
    target.addEventListener(name, changed, { signal: stopping.signal })
  return () => {
    stopping.abort()
    reporter.stop()
  }
}

const deviceWindow = (): DeviceWindow => ({
  ...{ innerWidth, innerHeight, devicePixelRatio, navigator },
  matchMedia: (query) => matchMedia(query),
  timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? '',
})

/** Not essential: the study continues even if this device cannot keep it. */
function record(participant: Participant, type: string, data: DeviceReport = {}): void {
  if (participant.status.kind !== 'joined' || participant.needsConsent) return
  participant.record({ type, data }).catch(() => undefined)
}

/** Counts what is written in a component, by the kinds that the study collects, until it is stopped. */
function listenTo(
  component: HTMLElement,
  id: string,
  meter: Meter,
  kinds: readonly ParadataKind[],
): () => void {
  const stopping = new AbortController()
  function on<Name extends keyof HTMLElementEventMap>(
    name: Name,
    act: (event: HTMLElementEventMap[Name]) => void,
  ): void {
    const inTextField = (event: HTMLElementEventMap[Name]) => isTextField(event.target) && act(event)
    component.addEventListener(name, inTextField, { capture: true, signal: stopping.signal })
  }
  if (kinds.includes('typing')) {
    on('keydown', (event) => isTyping(event) && meter.pressed(id))
    on('input', (event) => event instanceof InputEvent && isDeletion(event.inputType) && meter.deleted(id))
  }
  if (kinds.includes('paste')) {
    on('paste', ({ clipboardData }) => count(clipboardData))
    on('drop', ({ dataTransfer }) => count(dataTransfer))
  }
  /** Nothing but the length is looked at; pictures and files do not get into a text field. */
  function count(content: DataTransfer | null): void {
    const characters = charactersIn(content?.getData('text/plain') ?? '')
    if (characters > 0) meter.pasted(id, characters)
  }
  return () => stopping.abort()
}
