/**
 * The official plugins that a timeline can name, as in `@jspsych/plugin-<name>`. Chosen for what they need: no functions as
 * parameters, no camera or microphone, and data that fits into a response.
 */
export const jspsychPlugins = [
  'html-keyboard-response',
  'html-button-response',
  'html-slider-response',
  'image-keyboard-response',
  'image-button-response',
  'image-slider-response',
  'categorize-html',
  'same-different-html',
  'iat-html',
  'serial-reaction-time',
  'survey-likert',
  'survey-multi-choice',
  'survey-multi-select',
  'survey-text',
  'instructions',
] as const

export type JspsychPlugin = (typeof jspsychPlugins)[number]

/** A parameter as the plugin itself describes it (`info.parameters`). */
export interface PluginParameter {
  kind:
    | 'boolean'
    | 'text'
    | 'html'
    | 'image'
    | 'number'
    | 'key'
    | 'keys'
    | 'select'
    | 'object'
    | 'complex'
    /** Cannot stand in a definition, which holds data only. */
    | 'function'
  isArray?: true
  /** It has no default. */
  isRequired?: true
  options?: readonly string[]
  nested?: Readonly<Record<string, PluginParameter>>
}
