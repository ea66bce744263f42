export { createMediaConvert, type MediaConvertConfig } from './mediaconvert.ts'
