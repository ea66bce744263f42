export { componentOf, isValid, randomComponent, settingsByType } from './random-component.ts'
export { anyDefinition, experiment, state } from './random-definition.ts'
