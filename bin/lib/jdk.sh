# Finds a JDK 25 or newer without starting one; sourced by the launchers and the build.
# Sets JDK_HOME, or says what to install and returns 1. Looks at $ORLOJ_JAVA_HOME first, then at the runtime
# that a distribution has in lib/runtime.

is_jdk_25() {
  [ -x "$1/bin/java" ] && [ -f "$1/release" ] || return 1
  while IFS= read -r jdk_line; do
    case $jdk_line in
      JAVA_VERSION=\"*)
        jdk_major=${jdk_line#*\"}
        jdk_major=${jdk_major%%[!0-9]*}
        [ "${jdk_major:-0}" -ge 25 ]
        return
        ;;
    esac
  done <"$1/release"
  return 1
}

find_jdk_25() {
  for jdk_candidate in "${ORLOJ_JAVA_HOME:-}" "${ORLOJ_ROOT:+$ORLOJ_ROOT/lib/runtime}" "${JAVA_HOME:-}" /usr/lib/jvm/*25* /usr/lib/jvm/* \
      "$HOME"/.sdkman/candidates/java/25* "$HOME"/.jdks/*25* \
      /Library/Java/JavaVirtualMachines/*25*/Contents/Home /opt/java/* /opt/jdk*25*; do
    if [ -n "$jdk_candidate" ] && is_jdk_25 "$jdk_candidate"; then
      # shellcheck disable=SC2034  # for those that source this
      JDK_HOME=$jdk_candidate
      return 0
    fi
  done
  cat >&2 <<'MESSAGE'
Orloj needs a JDK 25 and found none in $ORLOJ_JAVA_HOME, $JAVA_HOME, /usr/lib/jvm, ~/.sdkman or ~/.jdks.
Install one, for example
  Debian/Ubuntu   apt-get install temurin-25-jdk     (from the Adoptium repository), or openjdk-25-jdk where packaged
  SDKMAN!         sdk install java 25-tem
  macOS           brew install --cask temurin@25
or point ORLOJ_JAVA_HOME at an existing one. Your default `java` may stay as it is.
MESSAGE
  return 1
}
