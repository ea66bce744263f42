import type { JspsychPlugin } from '@atrium/contract/components'

/** A plugin as its package exports it; jsPsych’s own types name no part of `info` that we read. */
export interface PluginModule {
  default: { info: { name: string; parameters: object } }
}

/** Each plugin is a file of its own, which the frame loads when a timeline names it. */
export const pluginLoaders = {
  'html-keyboard-response': () => import('@jspsych/plugin-html-keyboard-response'),
  'html-button-response': () => import('@jspsych/plugin-html-button-response'),
  'html-slider-response': () => import('@jspsych/plugin-html-slider-response'),
  'image-keyboard-response': () => import('@jspsych/plugin-image-keyboard-response'),
  'image-button-response': () => import('@jspsych/plugin-image-button-response'),
  'image-slider-response': () => import('@jspsych/plugin-image-slider-response'),
  'categorize-html': () => import('@jspsych/plugin-categorize-html'),
  'same-different-html': () => import('@jspsych/plugin-same-different-html'),
  'iat-html': () => import('@jspsych/plugin-iat-html'),
  'serial-reaction-time': () => import('@jspsych/plugin-serial-reaction-time'),
  'survey-likert': () => import('@jspsych/plugin-survey-likert'),
  'survey-multi-choice': () => import('@jspsych/plugin-survey-multi-choice'),
  'survey-multi-select': () => import('@jspsych/plugin-survey-multi-select'),
  'survey-text': () => import('@jspsych/plugin-survey-text'),
  instructions: () => import('@jspsych/plugin-instructions'),
} satisfies Record<JspsychPlugin, () => Promise<PluginModule>>
