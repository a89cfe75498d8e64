import { setFlagsFromString } from 'node:v8';

/*
 * Connections that come and go by the thousand leave garbage that V8 takes for something that will live long: by default it lets the
 * heap grow to about four times what is really in use before it looks. Half as much again is enough for a quiet one.
 */
setFlagsFromString('--heap-growing-percent=50');
