import { isForRole } from '@atrium/contract'
import type { Blueprint, ComponentBlueprint, StateBlueprint } from './blueprint.ts'
import type { FlowState, RoomState, Seat } from './room-state.ts'

/** Where a participant is: with the room, or at their own pace. */
export const flowOf = (room: Pick<RoomState, 'flow'>, seat: Seat): FlowState | null => seat.flow ?? room.flow

export function stateOf({ states }: Blueprint, flow: FlowState | null): StateBlueprint | undefined {
  const step = flow?.steps[flow.position]
  return step && states.get(step.stateId)
}

export const seesState = (seat: Seat, { state }: StateBlueprint): boolean => isForRole(state, seat.role)

/** Whether it is for their role; where it is shown is another matter. */
export const seesComponent = (seat: Seat, { component }: ComponentBlueprint): boolean =>
  isForRole(component, seat.role)

/** Whether a state shows it to anybody. */
export const isShownIn = (
  { globals }: Blueprint,
  state: StateBlueprint,
  component: ComponentBlueprint,
): boolean =>
  state.components.includes(component) ||
  globals.some((one) => one === component && (!one.states || one.states.includes(state.state.id)))

/** Whether their role sees this component of a state, or one that stays across states. */
export const seesComponentOf = (
  { globals }: Blueprint,
  seat: Seat,
  state: StateBlueprint,
  component: ComponentBlueprint,
): boolean =>
  seesComponent(seat, component) && (seesState(seat, state) || globals.some((one) => one === component))

/** RM16, RM17: what a state itself shows to a participant. */
export const componentsOfState = (seat: Seat, state: StateBlueprint): ComponentBlueprint[] =>
  seesState(seat, state) ? state.components.filter((one) => seesComponent(seat, one)) : []

/** RM17: what stays across states, in this one; undefined before the first and after the last. */
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
