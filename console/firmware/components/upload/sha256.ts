// A module of its own, so that of all the library's algorithms only this one is loaded, and only when something is
// uploaded.
export { createSHA256 } from 'hash-wasm';
