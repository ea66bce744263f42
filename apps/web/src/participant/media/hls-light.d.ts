/** The build without what our streams do not have: subtitles, alternative audio, encryption. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
