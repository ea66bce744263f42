import { Compile } from 'typebox/compile'
import { ComponentResponseEvent, DeviceReportEvent, OtherEvent, StateTransitionEvent } from './event.ts'

const byType = new Map<unknown, ReturnType<typeof Compile>>([
  ['state_transition', Compile(StateTransitionEvent)],
  ['component_response', Compile(ComponentResponseEvent)],
  ['device_report', Compile(DeviceReportEvent)],
])
const anyOther = Compile(OtherEvent)

/**
 * The validator for one event. Chosen by `type` rather than by trying a union, so that errors name the wrong field
 * instead of saying "matches none of three shapes".
 */
export const validatorForEvent = (event: unknown) =>
  (typeof event === 'object' && event !== null && byType.get((event as { type?: unknown }).type)) || anyOther
