import { isForRole } from '@atrium/contract'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import type { FlowState, RoomState, Seat } from './room-state.ts'
import type { StateBlueprint } from './state-blueprint.ts'

/** Where a participant is on their path: with the room, or at their own pace. */
export const flowOf = (room: Pick<RoomState, 'flow'>, seat: Seat): FlowState | null => seat.flow ?? room.flow

export function stateOf({ states }: Blueprint, flow: FlowState | null): StateBlueprint | undefined {
  const step = flow?.steps[flow.position]
  return step && states.get(step.stateId)
}

/** Of their role, and not skipped by them. */
export const seesState = (seat: Seat, { state }: StateBlueprint): boolean =>
  isForRole(state, seat.role) && !seat.here.sitsOut

/** Whether it is for their role, regardless of where it is shown. */
export const seesComponent = (seat: Seat, { component }: ComponentBlueprint): boolean =>
  isForRole(component, seat.role)

/** Whether the state shows it to anyone. */
export const isShownIn = (
  { globals }: Blueprint,
  state: StateBlueprint,
  component: ComponentBlueprint,
): boolean =>
  state.components.includes(component) ||
  globals.some((one) => one === component && (!one.states || one.states.includes(state.state.id)))

/** Whether their role sees this component, be it part of the state or global. */
export const seesComponentOf = (
  { globals }: Blueprint,
  seat: Seat,
  state: StateBlueprint,
  component: ComponentBlueprint,
): boolean =>
  seesComponent(seat, component) && (seesState(seat, state) || globals.some((one) => one === component))

/** RM16, RM17: the state's own components that a participant sees. */
export const componentsOfState = (seat: Seat, state: StateBlueprint): ComponentBlueprint[] =>
  seesState(seat, state) ? state.components.filter((one) => seesComponent(seat, one)) : []

/** RM17: the global components that a participant sees in this state; undefined before the first and after the last. */
export const globalComponents = (
  { globals }: Blueprint,
  seat: Seat,
  stateId: string | undefined,
): ComponentBlueprint[] =>
  globals.filter(
    (one) =>
      seesComponent(seat, one) && (!one.states || (stateId !== undefined && one.states.includes(stateId))),
  )

/** Everything that a participant sees in a state. */
export const visibleComponents = (
  blueprint: Blueprint,
  seat: Seat,
  state: StateBlueprint,
): ComponentBlueprint[] => [
  ...componentsOfState(seat, state),
  ...globalComponents(blueprint, seat, state.state.id),
]
