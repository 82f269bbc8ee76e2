// Gives the program under node the environment of node, instead of emcc's own.
Module.preRun = () => Object.assign(ENV, process.env);
