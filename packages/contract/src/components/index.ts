export {
  type ComponentTypeName,
  componentTypeOf,
  componentTypes,
  evaluateResponse,
  isKnownType,
  isRequired,
  type ReceivedSettings,
  refusalOf,
  responseSchemaOf,
} from './catalogue.ts'
export { namesInTimeline, reactionStimuliOf } from './component-trials.ts'
export { type ComponentType, error, type Finding, type Settings, warning } from './component-type.ts'
export { mostPerItem } from './constant-sum.ts'
export { drawDate, patternOfDates } from './date-pattern.ts'
export { conditionsOfEntries, isAskable, type Judgement, judgedEntries } from './entries.ts'
export { acceptedFileOf, isAcceptedType, namesStoredFile } from './files.ts'
export { canBeAskedForEach, isForEach, type Target, targetsOf } from './for-each.ts'
export type { JspsychPlugin, PluginParameter } from './jspsych/plugins.ts'
export { type PlannedTrial, plannedTrials } from './jspsych/timeline.ts'
export {
  type FoundValue,
  type LiveSetting,
  livePlacesOf,
  liveSettingsOf,
  withLiveValues,
  withStandIns,
} from './live-settings.ts'
export type { MediaUse } from './media-names.ts'
export { componentMediaUses, mediaUsesIn, type NamedFiles, namedFilesIn, namedFilesOf } from './media-uses.ts'
export { createSuggestions, nearestName, type Suggest } from './nearest.ts'
export { payoffVariablesOf, shownVariable } from './payoff-variables.ts'
export {
  maxMediaInStep,
  type PlayingInStep,
  playedByServer,
  playingInStepOf,
  stopRated,
  stopsOf,
} from './playing.ts'
export { publicComponent } from './public.ts'
export { recordedSchemaOf } from './recorded-schema.ts'
export { type Place, regionAt } from './regions.ts'
export { settingsOf, valuesAt } from './setting-places.ts'
export { imageFindings } from './settings.ts'
export { type ValueLabel, valueLabelsOf } from './value-labels.ts'
export { videoUsesIn } from './video-uses.ts'
