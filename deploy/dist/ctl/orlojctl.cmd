@echo off
rem Starts orlojctl on a Java 25 or newer: that of ORLOJ_JAVA_HOME, or of JAVA_HOME, or java.exe of the PATH.
rem docs\configuration.md has the variables of this launcher (ORLOJ_JAVA_HOME, ORLOJ_JAVA_OPTS).
setlocal
set "ORLOJ_JAVA="
if defined ORLOJ_JAVA_HOME (set "ORLOJ_JAVA=%ORLOJ_JAVA_HOME%\bin\java.exe") else if defined JAVA_HOME set "ORLOJ_JAVA=%JAVA_HOME%\bin\java.exe"
if not defined ORLOJ_JAVA for %%J in (java.exe) do set "ORLOJ_JAVA=%%~$PATH:J"
if not defined ORLOJ_JAVA goto :nojava
if not exist "%ORLOJ_JAVA%" goto :nojava
for %%J in ("%ORLOJ_JAVA%") do set "ORLOJ_RELEASE=%%~dpJ..\release"
set ORLOJ_JAVA_MAJOR=25
if exist "%ORLOJ_RELEASE%" for /f "usebackq tokens=1,2 delims==" %%A in ("%ORLOJ_RELEASE%") do if "%%A"=="JAVA_VERSION" for /f "delims=.-+" %%M in ("%%~B") do set ORLOJ_JAVA_MAJOR=%%M
if %ORLOJ_JAVA_MAJOR% LSS 25 goto :nojava
rem For the files of MCP clients, which name this launcher.
set "ORLOJCTL_LAUNCHER=%~f0"
"%ORLOJ_JAVA%" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx256m %ORLOJ_JAVA_OPTS% -jar "%~dp0..\lib\orlojctl\orlojctl.jar" %*
exit /b %ERRORLEVEL%
:nojava
if not defined ORLOJ_JAVA set ORLOJ_JAVA=none
echo orlojctl needs Java 25 or newer. Found: "%ORLOJ_JAVA%" 1>&2
echo Install one, for example: winget install EclipseAdoptium.Temurin.25.JRE 1>&2
echo or set ORLOJ_JAVA_HOME to the folder of an existing one. 1>&2
exit /b 1
